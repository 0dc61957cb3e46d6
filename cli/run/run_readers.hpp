// Who reads a run's timing events, as the options ask.
#pragma once

#include "runtime/models/runner.hpp"
#include "sim/counters/counter_regions.hpp"
#include "sim/events/timing_fan_out.hpp"

namespace tandem {

// Not movable: the machine holds a pointer to what timing() gives.
class RunReaders {
 public:
  // `counters`: by region, too.
  explicit RunReaders(bool counters);
  RunReaders(const RunReaders&) = delete;
  RunReaders& operator=(const RunReaders&) = delete;

  // One more reader, which must outlive the run.
  void add(TimingSink* reader) { events_.add(reader); }
  // For RunReaders::timing of the runtime; nullptr when nobody reads, so that nobody pays.
  TimingSink* timing() { return events_.reader(); }
  // Empty without --counters, or when no marker was met.
  [[nodiscard]] std::vector<CounterRegion> regions(const Runner& runner) const;

 private:
  TimingFanOut events_;
  CounterRegions regions_;
};

}  // namespace tandem
