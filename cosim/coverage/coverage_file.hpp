// Coverage as files: counts by name of bin, so that files of different versions can be added up;
// summaries by group; the page.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/coverage/coverage.hpp"

namespace tandem {

// By name; bins never hit are absent.
using BinCounts = std::map<std::string, std::uint64_t, std::less<>>;

void add_counts(BinCounts& counts, const Coverage& coverage);
void add_counts(BinCounts& counts, const BinCounts& more);

nlohmann::json coverage_json(const BinCounts& counts);
// Throws runtime::Error, which begins with `name`, if it is not a coverage file.
BinCounts read_coverage(std::string_view text, const std::string& name);

struct GroupCoverage {
  std::string group;
  std::size_t covered = 0;
  std::size_t bins = 0;  // that can be reached
  std::vector<std::string> missing;
  std::vector<std::size_t> unreachable;  // numbers of bins, which are not counted above
  [[nodiscard]] double percent() const {
    return bins == 0 ? 100 : 100 * static_cast<double>(covered) / static_cast<double>(bins);
  }
};
// Of the bins that this build knows, in their order.
std::vector<GroupCoverage> summarise(const BinCounts& counts);

std::string coverage_text(const std::vector<GroupCoverage>& groups);
std::string coverage_page(const std::vector<GroupCoverage>& groups, const BinCounts& counts);

// Bins declared unreachable that were hit: the reason is wrong, or a counter is. One line each; ""
// when there is none.
std::string wrongly_unreachable(const BinCounts& counts);

// Floors: percent by group, as JSON {"operand": 97.5, ...}. One line for each group below its
// floor; "" when none is. Throws runtime::Error as read_coverage(), for groups that do not exist
// too.
std::string below_floors(const std::vector<GroupCoverage>& groups, std::string_view floors,
                         const std::string& name);

}  // namespace tandem
