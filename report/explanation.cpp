#include "report/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace tandem {
namespace {

using Json = nlohmann::json;
using Count = std::pair<std::string, std::uint64_t>;

std::uint64_t cycles_of(const Json& run) {
  return run.at("counters").at("cycles").get<std::uint64_t>();
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return "0%";
  return fmt::format("{:.0f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// Those of at least half a percent of the whole, the largest first.
std::vector<Count> largest(const Json& counts, std::uint64_t whole) {
  std::vector<Count> list;
  for (const auto& [name, count] : counts.items()) {
    const auto number = count.get<std::uint64_t>();
    if (number != 0 && 200 * number >= whole) list.emplace_back(name, number);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Count& a, const Count& b) { return a.second > b.second; });
  return list;
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? std::string() : text.substr(first);
}

std::string head_text(const Json& run) {
  const std::uint64_t cycles = cycles_of(run);
  const Json& busiest = run.at("advice").at("busiest");
  const auto needed = busiest.at("cycles").get<std::uint64_t>();
  std::string text = fmt::format(
      "{} on {}: {} cycles, {} bundles issued\n"
      "roof: {} has work for {} cycles, {} of them\n",
      run.at("program").get<std::string>(), run.at("preset").at("name").get<std::string>(), cycles,
      run.at("counters").at("causes").at("issued").get<std::uint64_t>(),
      busiest.at("unit").get<std::string>(), needed, percent(needed, cycles));
  std::string causes;
  for (const auto& [name, count] : largest(run.at("counters").at("causes"), cycles)) {
    causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", name, percent(count, cycles));
  }
  return text + "cycles: " + causes + "\n";
}

std::string lines_text(const Json& run, std::size_t rows) {
  std::vector<Json> lines = run.at("lines").at("rows");
  if (lines.empty()) return {};
  std::stable_sort(lines.begin(), lines.end(), [](const Json& a, const Json& b) {
    return a.at("cycles").get<std::uint64_t>() > b.at("cycles").get<std::uint64_t>();
  });
  if (lines.size() > rows) lines.resize(rows);
  std::string text = "lines with most cycles\n";
  for (const Json& line : lines) {
    const auto cycles = line.at("cycles").get<std::uint64_t>();
    text += fmt::format("{:10} {:>4}  {}  {}\n", cycles, percent(cycles, cycles_of(run)),
                        line.at("source").get<std::string>(),
                        trimmed(line.at("text").get<std::string>()));
    std::string lost;
    for (const auto& [name, count] : largest(line.at("lost"), cycles)) {
      lost += fmt::format("{}{} {}", lost.empty() ? "" : ", ", name, count);
    }
    if (!lost.empty()) text += fmt::format("{:17}lost to {}\n", "", lost);
  }
  return text;
}

std::string advice_text(const Json& run, std::size_t rows) {
  const Json& advice = run.at("advice").at("rows");
  if (advice.empty()) return {};
  std::string text = "what to do, and the cycles that it gains at most\n";
  for (std::size_t i = 0; i < std::min(rows, advice.size()); ++i) {
    const Json& row = advice.at(i);
    const auto source = row.at("source").get<std::string>();
    text += fmt::format("{:10} {:>4}  {}, {}\n{:17}{}\n", row.at("at_most").get<std::uint64_t>(),
                        percent(row.at("at_most").get<std::uint64_t>(), cycles_of(run)),
                        source.empty() ? "the program" : source, row.at("cause").get<std::string>(),
                        "", row.at("remedy").get<std::string>());
  }
  return text;
}

}  // namespace

std::string explanation_text(const nlohmann::json& run, std::size_t rows) {
  return head_text(run) + lines_text(run, rows) + advice_text(run, rows);
}

nlohmann::json explanation_json(const nlohmann::json& run) {
  const Json& counters = run.at("counters");
  return {{"program", run.at("program")},
          {"preset", run.at("preset").at("name")},
          {"cycles", counters.at("cycles")},
          {"issued", counters.at("causes").at("issued")},
          {"busiest", run.at("advice").at("busiest")},
          {"causes", counters.at("causes")},
          {"lines", run.at("lines").at("rows")},
          {"operations", run.at("operations").at("rows")},
          {"advice", run.at("advice").at("rows")}};
}

}  // namespace tandem
