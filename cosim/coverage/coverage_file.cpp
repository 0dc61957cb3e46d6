#include "cosim/coverage/coverage_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "report/json/json_text.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

constexpr std::string_view format = "tandem coverage 1";

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw runtime::Error{runtime::ErrorCode::invalid_argument, fmt::format("{}: {}", name, why)};
}

nlohmann::json parsed(std::string_view text, const std::string& name) {
  nlohmann::json json = parse_json(text);
  if (!json.is_object()) refuse(name, "this is no JSON object");
  return json;
}

}  // namespace

void add_counts(BinCounts& counts, const Coverage& coverage) {
  for (std::size_t bin = 0; bin < coverage.hits().size(); ++bin) {
    if (coverage.hits()[bin] != 0) counts[bin_table().name(bin)] += coverage.hits()[bin];
  }
}

void add_counts(BinCounts& counts, const BinCounts& more) {
  for (const auto& [name, count] : more) counts[name] += count;
}

nlohmann::json coverage_json(const BinCounts& counts) {
  return {{"format", format}, {"bins", counts}};
}

BinCounts read_coverage(std::string_view text, const std::string& name) {
  const nlohmann::json json = parsed(text, name);
  if (json.value("format", nlohmann::json()) != format || !json.contains("bins") ||
      !json["bins"].is_object()) {
    refuse(name, fmt::format("this is no file of the format '{}'", format));
  }
  BinCounts counts;
  for (const auto& [bin, count] : json["bins"].items()) {
    if (!count.is_number_unsigned())
      refuse(name, fmt::format("the count of '{}' is not a number", bin));
    counts[bin] = count.get<std::uint64_t>();
  }
  return counts;
}

std::vector<GroupCoverage> summarise(const BinCounts& counts) {
  std::vector<GroupCoverage> groups;
  for (std::size_t bin = 0; bin < bin_table().size(); ++bin) {
    const std::string& name = bin_table().name(bin);
    if (groups.empty() || groups.back().group != group_of(name)) {
      groups.push_back({std::string(group_of(name)), 0, 0, {}, {}});
    }
    GroupCoverage& group = groups.back();
    if (!bin_table().unreachable(bin).empty()) {
      group.unreachable.push_back(bin);
      continue;
    }
    ++group.bins;
    if (counts.contains(name)) {
      ++group.covered;
    } else {
      group.missing.push_back(name);
    }
  }
  return groups;
}

std::string coverage_text(const std::vector<GroupCoverage>& groups) {
  std::string text;
  for (const GroupCoverage& group : groups) {
    text +=
        fmt::format("{:10} {:6} of {:6} bins {:7.2f}%, {} that nothing can reach\n", group.group,
                    group.covered, group.bins, group.percent(), group.unreachable.size());
  }
  return text;
}

std::string wrongly_unreachable(const BinCounts& counts) {
  std::string text;
  for (std::size_t bin = 0; bin < bin_table().size(); ++bin) {
    const std::string_view reason = bin_table().unreachable(bin);
    const auto found = counts.find(bin_table().name(bin));
    if (reason.empty() || found == counts.end()) continue;
    text += fmt::format("{}: hit {} times, and said to be unreachable: {}\n", found->first,
                        found->second, reason);
  }
  return text;
}

std::string below_floors(const std::vector<GroupCoverage>& groups, std::string_view floors,
                         const std::string& name) {
  const nlohmann::json json = parsed(floors, name);
  std::string text;
  for (const auto& [group, floor] : json.items()) {
    const auto found =
        std::find_if(groups.begin(), groups.end(),
                     [&key = group](const GroupCoverage& item) { return item.group == key; });
    if (found == groups.end() || !floor.is_number()) {
      refuse(name, fmt::format("'{}' is no group with a percentage", group));
    }
    if (found->percent() >= floor.get<double>()) continue;
    text += fmt::format("{}: {:.2f}% is below the floor of {}%\n", group, found->percent(),
                        floor.get<double>());
  }
  return text;
}

}  // namespace tandem
