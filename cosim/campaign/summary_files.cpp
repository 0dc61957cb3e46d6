// The summary for other programs (JUnit XML) and for a browser.
#include <fmt/format.h>

#include "cosim/campaign/summary.hpp"
#include "isa/text/markup.hpp"

namespace tandem {
namespace {

constexpr double microseconds_per_second = 1e6;

double seconds(std::uint64_t microseconds) {
  return static_cast<double>(microseconds) / microseconds_per_second;
}

std::string junit_case(const std::string& suite, const UnitSummary& unit) {
  std::string text =
      fmt::format(R"(    <testcase classname="{}" name="{}" time="{:.3f}")", escaped_markup(suite),
                  escaped_markup(unit.name), seconds(unit.microseconds));
  if (unit.failures.empty() && unit.missing == 0) return text + "/>\n";
  text += ">\n";
  if (!unit.failures.empty()) {
    text += fmt::format("      <failure message=\"{} seeds failed\">", unit.failures.size());
    for (const std::string& failure : unit.failures) text += escaped_markup(failure) + '\n';
    text += "</failure>\n";
  } else {
    text += fmt::format("      <error message=\"{} seeds have no result\"/>\n", unit.missing);
  }
  return text + "    </testcase>\n";
}

std::string page_kind(const FailureKind& kind, const std::string& file) {
  std::string others;
  for (const std::string& other : kind.others) others += " " + other;
  return fmt::format(
      "<details><summary>{} &times; <b>{}</b>, first {}</summary>\n<p><code>tandem regress {} "
      "--repeat {}</code></p>\n<p>also:{}</p>\n<pre>{}</pre></details>\n",
      kind.count, escaped_markup(kind.signature), escaped_markup(kind.first), escaped_markup(file),
      escaped_markup(kind.first), escaped_markup(others.empty() ? " none" : others),
      escaped_markup(kind.report));
}

std::string page_row(const ConfigurationSummary& sums) {
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td>{}</td>"
      "<td>{}</td><td>{:.1f}</td></tr>\n",
      escaped_markup(sums.title), sums.done, sums.halted, sums.trapped,
      sums.failed == 0 ? "" : "bad", sums.failed, sums.bundles, sums.cycles,
      seconds(sums.microseconds));
}

constexpr const char* page_head = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Campaign</title><style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; }
table { border-collapse: collapse; } td, th { padding: .2em .8em; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr:nth-child(even) { background: #8881; }
.bad { color: #c00; font-weight: bold; } pre { overflow-x: auto; background: #8881; padding: 1em; }
</style></head><body>
)";

}  // namespace

std::string summary_junit(const CampaignSummary& summary) {
  std::string text =
      fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\">\n",
                  escaped_markup(summary.name));
  for (std::size_t i = 0; i < summary.units.size(); ++i) {
    const std::string& title = summary.configurations[i].title;
    std::size_t failures = 0;
    std::size_t errors = 0;
    std::string cases;
    for (const UnitSummary& unit : summary.units[i]) {
      failures += unit.failures.empty() ? 0 : 1;
      errors += unit.failures.empty() && unit.missing != 0 ? 1 : 0;
      cases += junit_case(title, unit);
    }
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3f}\">\n{}"
        "  </testsuite>\n",
        escaped_markup(title), summary.units[i].size(), failures, errors,
        seconds(summary.configurations[i].microseconds), cases);
  }
  return text + "</testsuites>\n";
}

std::string summary_page(const CampaignSummary& summary, const std::string& file) {
  std::string text = page_head;
  text += fmt::format(
      "<h1>Campaign {}</h1>\n<p>{} of {} seeds done, <span class=\"{}\">{} failed</span> in {} "
      "kinds; build {}.</p>\n",
      escaped_markup(summary.name), summary.done, summary.wanted, summary.failed == 0 ? "" : "bad",
      summary.failed, summary.kinds.size(), escaped_markup(summary.build));
  text +=
      "<table><tr><th>configuration</th><th>seeds</th><th>halted</th><th>trapped</th>"
      "<th>failed</th><th>bundles</th><th>cycles</th><th>core seconds</th></tr>\n";
  for (const ConfigurationSummary& sums : summary.configurations) text += page_row(sums);
  text += "</table>\n<h2>Failures</h2>\n";
  if (summary.kinds.empty()) text += "<p>None.</p>\n";
  for (const FailureKind& kind : summary.kinds) text += page_kind(kind, file);
  for (const std::string& seed : summary.contradictions) {
    text += fmt::format("<p class=\"bad\">Two different results: {}</p>\n", escaped_markup(seed));
  }
  text += fmt::format(
      "<p>{} results came twice and count once, {} files end in a torn line, {} lines are damaged, "
      "{} results are of other builds.</p>\n",
      summary.duplicates, summary.torn, summary.damaged, summary.of_other_builds);
  return text + "</body></html>\n";
}

}  // namespace tandem
