// The page of coverage: bins never hit, unreachable bins with reasons, and every bin's count.
#include <fmt/format.h>

#include "cosim/coverage/coverage_file.hpp"
#include "isa/text/markup.hpp"

namespace tandem {
namespace {

constexpr std::string_view page_head =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tandem coverage</title><style>"
    "body{font:14px sans-serif;margin:2em;max-width:70em}td,th{padding:2px 12px;text-align:left}"
    "summary{cursor:pointer;margin:.4em 0}.miss{color:#b00020}code{font-size:13px}"
    ".bar{display:inline-block;height:10px;background:#2a7}</style>"
    "<h1>Coverage of the instruction table's crosses</h1>";

std::string totals_table(const std::vector<GroupCoverage>& groups) {
  std::string page = "<table><tr><th>group<th>covered<th>bins<th><th>that nothing can reach";
  for (const GroupCoverage& group : groups) {
    page += fmt::format(
        "<tr><td><a href=\"#{0}\">{0}</a><td>{1}<td>{2}<td>{3:.2f}% <span "
        "class=\"bar\" style=\"width:{3:.0f}px\"></span><td>{4}",
        group.group, group.covered, group.bins, group.percent(), group.unreachable.size());
  }
  return page + "</table>";
}

std::string missing_list(const GroupCoverage& group) {
  std::string page = fmt::format("<details{}><summary>{} never hit</summary>",
                                 group.missing.size() <= 200 ? " open" : "", group.missing.size());
  for (const std::string& name : group.missing) {
    page += fmt::format("<div class=\"miss\"><code>{}</code></div>", escaped_markup(name));
  }
  return page + "</details>";
}

std::string unreachable_list(const GroupCoverage& group) {
  if (group.unreachable.empty()) return "";
  std::string page =
      fmt::format("<details><summary>{} that nothing can reach, and why</summary><table>",
                  group.unreachable.size());
  for (const std::size_t bin : group.unreachable) {
    page += fmt::format("<tr><td><code>{}</code><td>{}", escaped_markup(bin_table().name(bin)),
                        escaped_markup(bin_table().unreachable(bin)));
  }
  return page + "</table></details>";
}

std::string counts_table(const GroupCoverage& group, const BinCounts& counts) {
  std::string page = "<details><summary>all bins with their counts</summary><table>";
  for (const std::string& name : bin_table().names()) {
    if (group_of(name) != group.group) continue;
    const auto found = counts.find(name);
    page += fmt::format("<tr><td><code>{}</code><td>{}", escaped_markup(name),
                        found == counts.end() ? 0 : found->second);
  }
  return page + "</table></details>";
}

}  // namespace

std::string coverage_page(const std::vector<GroupCoverage>& groups, const BinCounts& counts) {
  std::string page = std::string(page_head) + totals_table(groups);
  for (const GroupCoverage& group : groups) {
    page += fmt::format("<h2 id=\"{0}\">{0}</h2>", group.group);
    page += missing_list(group) + unreachable_list(group) + counts_table(group, counts);
  }
  return page + "</html>\n";
}

}  // namespace tandem
