// The readers of a run's timing events, according to the options.
#pragma once

#include "runtime/models/runner.hpp"
#include "sim/counters/counter_regions.hpp"
#include "sim/events/timing_fan_out.hpp"

namespace tandem {

// Not movable: the machine holds a pointer to the result of timing().
class RunReaders {
 public:
  // `counters`: by region, too.
  explicit RunReaders(bool counters);
  RunReaders(const RunReaders&) = delete;
  RunReaders& operator=(const RunReaders&) = delete;

  // One more reader, which must outlive the run.
  void add(TimingSink* reader) { events_.add(reader); }
  // For RunReaders::timing of the runtime; nullptr without readers, so that there is no cost.
  TimingSink* timing() { return events_.reader(); }
  // Empty without --counters, or if there was no marker.
  [[nodiscard]] std::vector<CounterRegion> regions(const Runner& runner) const;

 private:
  TimingFanOut events_;
  CounterRegions regions_;
};

}  // namespace tandem
