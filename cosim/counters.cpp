#include "cosim/counters.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem {
namespace {

std::uint64_t read_pair(const Runner& runner, std::uint32_t low) {
  return runner.host_register(low).value_or(0) |
         std::uint64_t{runner.host_register(low + 1).value_or(0)} << 32U;
}

std::vector<Counter> read_all(const Runner& runner, std::span<const CounterRow> rows,
                              std::uint32_t base) {
  std::vector<Counter> counters;
  for (const CounterRow& row : rows) {
    counters.push_back({row.name, row.meaning, read_pair(runner, base + 2 * row.number)});
  }
  return counters;
}

}  // namespace

Counters read_counters(const Runner& runner) {
  Counters counters;
  const std::uint32_t cycles = find_register("cycles_lo")->number;
  if (!runner.host_register(cycles)) return counters;
  counters.cycles = read_pair(runner, cycles);
  counters.causes = read_all(runner, stall_causes(), cause_base);
  counters.events = read_all(runner, counted_events(), event_base);
  return counters;
}

std::string counters_text(const Counters& counters) {
  std::string text = fmt::format("cycles {:>24}\n", counters.cycles);
  for (const Counter& cause : counters.causes) {
    const double share = counters.cycles == 0 ? 0
                                              : 100.0 * static_cast<double>(cause.value) /
                                                    static_cast<double>(counters.cycles);
    text +=
        fmt::format("  {:16} {:12} {:5.1f} %  {}\n", cause.name, cause.value, share, cause.meaning);
  }
  text += "events\n";
  for (const Counter& event : counters.events) {
    text += fmt::format("  {:18} {:18}  {}\n", event.name, event.value, event.meaning);
  }
  return text;
}

}  // namespace tandem
