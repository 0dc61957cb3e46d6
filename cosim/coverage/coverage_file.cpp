#include "cosim/coverage/coverage_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/text/markup.hpp"
#include "runtime/error.hpp"

namespace tandem {
namespace {

constexpr std::string_view format = "tandem coverage 1";

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw runtime::Error{runtime::ErrorCode::invalid_argument, fmt::format("{}: {}", name, why)};
}

nlohmann::json parsed(std::string_view text, const std::string& name) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) refuse(name, "this is no JSON object");
  return json;
}

constexpr std::string_view page_head =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tandem coverage</title><style>"
    "body{font:14px sans-serif;margin:2em;max-width:70em}td,th{padding:2px 12px;text-align:left}"
    "summary{cursor:pointer;margin:.4em 0}.miss{color:#b00020}code{font-size:13px}"
    ".bar{display:inline-block;height:10px;background:#2a7}</style>"
    "<h1>Coverage of the instruction table's crosses</h1>";

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
      refuse(name, fmt::format("the count of '{}' is no number", bin));
    counts[bin] = count.get<std::uint64_t>();
  }
  return counts;
}

std::vector<GroupCoverage> summarise(const BinCounts& counts) {
  std::vector<GroupCoverage> groups;
  for (const std::string& name : bin_table().names()) {
    if (groups.empty() || groups.back().group != group_of(name)) {
      groups.push_back({std::string(group_of(name)), 0, 0, {}});
    }
    GroupCoverage& group = groups.back();
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
    text += fmt::format("{:10} {:6} of {:6} bins {:7.2f}%\n", group.group, group.covered,
                        group.bins, group.percent());
  }
  return text;
}

std::string coverage_page(const std::vector<GroupCoverage>& groups, const BinCounts& counts) {
  std::string page(page_head);
  page += "<table><tr><th>group<th>covered<th>bins<th>";
  for (const GroupCoverage& group : groups) {
    page += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a><td>{1}<td>{2}<td>{3:.2f}% <span "
        "class=\"bar\" style=\"width:{3:.0f}px\"></span>",
        group.group, group.covered, group.bins, group.percent());
  }
  page += "</table>";
  for (const GroupCoverage& group : groups) {
    page +=
        fmt::format("<h2 id=\"{0}\">{0}</h2><details{1}><summary>{2} never hit</summary>",
                    group.group, group.missing.size() <= 200 ? " open" : "", group.missing.size());
    for (const std::string& name : group.missing) {
      page += fmt::format("<div class=\"miss\"><code>{}</code></div>", escaped_markup(name));
    }
    page += "</details><details><summary>all bins with their counts</summary><table>";
    for (const std::string& name : bin_table().names()) {
      if (group_of(name) != group.group) continue;
      const auto found = counts.find(name);
      page += fmt::format("<tr><td><code>{}</code><td>{}", escaped_markup(name),
                          found == counts.end() ? 0 : found->second);
    }
    page += "</table></details>";
  }
  return page + "</html>\n";
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
