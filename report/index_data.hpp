// The row of a run in an index of report pages.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace tandem {

// Of the data of a page and its file's name: {"page", "program", "file", "preset", "model",
// "outcome", "cycles", "causes", "busiest": {"unit", "cycles"}}. Nothing if the data lack
// something: pages come from anywhere.
std::optional<nlohmann::json> index_row(const nlohmann::json& run, const std::string& page);

}  // namespace tandem
