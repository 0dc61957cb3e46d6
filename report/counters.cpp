#include "report/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "isa/text/source_place.hpp"
#include "sim/counters/counter_figures.hpp"

namespace tandem {
namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

const CounterShare* find_share(const std::vector<CounterShare>& shares, std::uint32_t event) {
  for (const CounterShare& share : shares) {
    if (static_cast<std::uint32_t>(share.event) == event) return &share;
  }
  return nullptr;
}

std::string figure_text(const CounterFigure& figure) {
  switch (figure.unit) {
    case FigureUnit::count: return fmt::format("{:.0f}", figure.value);
    case FigureUnit::ratio: return fmt::format("{:.3f}", figure.value);
    case FigureUnit::percent: return fmt::format("{:.1f} %", 100 * figure.value);
  }
  __builtin_unreachable();
}

// The causes that cost cycles, the most expensive first.
std::vector<CounterRow> causes_by_cycles(const CounterValues& counters) {
  std::vector<CounterRow> rows;
  for (const CounterRow& row : stall_causes()) {
    if (counters.causes[row.number] != 0) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const CounterRow& a, const CounterRow& b) {
    return counters.causes[a.number] > counters.causes[b.number];
  });
  return rows;
}

// Rows that counted something, explained if `meanings`.
std::string counter_tables(const CounterValues& counters, const Parameters& parameters,
                           bool meanings) {
  const auto meaning = [meanings](std::string_view text) {
    return meanings ? fmt::format("  {}", text) : std::string{};
  };
  std::string text = fmt::format("cycles {:>27}\n", counters.cycles);
  for (const CounterRow& row : causes_by_cycles(counters)) {
    const std::uint64_t value = counters.causes[row.number];
    text += fmt::format("  {:16} {:15} {:5.1f} %{}\n", row.name, value,
                        percent(value, counters.cycles), meaning(row.meaning));
  }
  text += "events\n";
  const std::vector<CounterShare> shares = counter_shares(counters, parameters);
  for (const CounterRow& row : counted_events()) {
    const std::uint64_t value = counters.events[row.number];
    if (value == 0) continue;
    const CounterShare* share = find_share(shares, row.number);
    text += fmt::format(
        "  {:16} {:15} {:34}{}\n", row.name, value,
        share == nullptr ? "" : fmt::format("{:5.1f} % {}", 100 * share->share, share->of),
        meaning(row.meaning));
  }
  text += "figures\n";
  for (const CounterFigure& figure : counter_figures(counters, parameters)) {
    if (figure.value == 0) continue;
    text += fmt::format("  {:21} {:>12}{}\n", figure.name, figure_text(figure),
                        meaning(figure.meaning));
  }
  return text;
}

// Trailing blanks are a nuisance in comparisons.
std::string without_trailing_blanks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result.erase(result.find_last_not_of(' ') + 1);
    result += c;
  }
  return result;
}

double figure_value(const CounterValues& counters, const Parameters& parameters,
                    std::string_view name) {
  for (const CounterFigure& figure : counter_figures(counters, parameters)) {
    if (figure.name == name) return figure.value;
  }
  return 0;
}

}  // namespace

std::string counters_text(const CounterValues& counters, const Parameters& parameters) {
  return without_trailing_blanks(counter_tables(counters, parameters, true));
}

nlohmann::json counters_json(const CounterValues& counters, const Parameters& parameters) {
  nlohmann::json json{{"cycles", counters.cycles}};
  for (const CounterRow& row : stall_causes()) {
    json["causes"][std::string(row.name)] = counters.causes[row.number];
  }
  for (const CounterRow& row : counted_events()) {
    json["events"][std::string(row.name)] = counters.events[row.number];
  }
  for (const CounterShare& share : counter_shares(counters, parameters)) {
    const CounterRow& row = counted_events()[static_cast<std::size_t>(share.event)];
    json["shares"][std::string(row.name)] = share.share;
  }
  for (const CounterFigure& figure : counter_figures(counters, parameters)) {
    json["figures"][std::string(figure.name)] = figure.value;
  }
  return json;
}

std::string region_name(const CounterRegion& region, const Image& image) {
  if (!region.code) return "start";
  return fmt::format("marker {} ({})", *region.code, place_name(image, region.pc));
}

std::string regions_text(std::span<const CounterRegion> regions, const Image& image) {
  if (regions.empty()) return {};
  std::uint64_t total = 0;
  for (const CounterRegion& region : regions) total += region.counters.cycles;
  std::string text = fmt::format("regions\n  {:32} {:>8} {:>13} {:>7} {:>13} {:>7} {:>7} {:>7}\n",
                                 "", "times", "cycles", "share", "bundles", "MXU", "read", "write");
  for (const CounterRegion& region : regions) {
    const CounterValues& counters = region.counters;
    const auto use = [&](std::string_view name) {
      return 100 * figure_value(counters, *image.preset, name);
    };
    text += fmt::format("  {:32} {:8} {:13} {:5.1f} % {:13} {:5.1f} % {:5.1f} % {:5.1f} %\n",
                        region_name(region, image), region.times, counters.cycles,
                        percent(counters.cycles, total), counters.cause(StallCause::issued),
                        use("mxu_use"), use("memory_read_use"), use("memory_write_use"));
  }
  for (const CounterRegion& region : regions) {
    text += fmt::format("\nregion {}, {}\n", region_name(region, image),
                        region.times == 1 ? "once" : fmt::format("{} times", region.times)) +
            counter_tables(region.counters, *image.preset, false);
  }
  return without_trailing_blanks(text);
}

nlohmann::json regions_json(std::span<const CounterRegion> regions, const Image& image) {
  nlohmann::json json = nlohmann::json::array();
  for (const CounterRegion& region : regions) {
    nlohmann::json entry = counters_json(region.counters, *image.preset);
    entry["times"] = region.times;
    entry["marker"] = nullptr;
    if (region.code) {
      entry["marker"] = *region.code;
      entry["place"] = place_name(image, region.pc);
      entry["source"] = source_line(image, region.pc);
    }
    json.push_back(std::move(entry));
  }
  return json;
}

}  // namespace tandem
