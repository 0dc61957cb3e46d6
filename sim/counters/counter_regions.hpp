// Counters by region: the events between the markers that a program sets (docs/counters.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/events/counter_values.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

struct CounterRegion {
  std::optional<std::uint32_t> code;  // of the marker; none: from the start to the first marker
  std::uint32_t pc = 0;               // of the marker that came first; 0 without one
  std::uint64_t times = 0;            // how often it was entered
  CounterValues counters;             // summed over all times
};

class CounterRegions final : public TimingSink {
 public:
  void issued(const IssueTiming&) override {}
  void lost(const LostCycles&) override {}
  void issue_run(const IssueRun&) override {}
  void copy_started(const CopyStart&) override {}
  void copy_done(const CopyDone&) override {}
  void beats(const MemoryBeats&) override {}
  void marked(const MarkerTiming& event) override;
  void progress(std::uint64_t) override {}
  void ended(std::uint64_t) override {}

  // All regions, the one before the first marker first, then by code; they add up to `now`, the
  // machine's counters at the moment. Empty if there was no marker.
  [[nodiscard]] std::vector<CounterRegion> regions(const CounterValues& now) const;

 private:
  std::optional<std::uint32_t> code_;  // the current region
  CounterValues since_;                // the counters at its beginning
  std::map<std::optional<std::uint32_t>, CounterRegion> regions_;
};

}  // namespace tandem
