// The report page: one HTML file that needs nothing else, holding the data of a run and, to compare
// with, of an earlier one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tandem {

// A page fetches nothing, except that one with a trace beside it may read that.
// `run` and `before` as by run_data(); `before` may be null.
std::string report_page(const nlohmann::json& run, const nlohmann::json& before);

// The index of a folder of pages: {"name", "pages": [row of report/index_data.hpp]}.
std::string index_page(const nlohmann::json& index);

// The page of an explorer, from the data of cli/explore/explored.hpp; one that is served asks its
// server for newer data.
std::string explore_page(const nlohmann::json& data, bool is_served);

// The page of a sweep, from the data of cli/sweep/results.hpp.
std::string sweep_page(const nlohmann::json& sweep);

// The data of the run that an earlier page shows, or nothing when this is not such a page.
std::optional<nlohmann::json> page_data(std::string_view page);

}  // namespace tandem
