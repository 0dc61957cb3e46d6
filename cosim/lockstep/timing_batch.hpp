// Stands between a machine and the readers of its timing events in a lockstep run: issues and lost
// cycles reach them some hundred cycles at a time, for the reason given in
// cosim/checker/event_batch.hpp. All other events are few and go on at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/events/timing_events.hpp"

namespace tandem {

class TimingBatch final : public TimingSink {
 public:
  // `reader` must outlive this.
  explicit TimingBatch(TimingSink& reader) : reader_(reader) {}

  void issued(const IssueTiming& event) override { issues_.push_back(event); }
  void lost(const LostCycles& event) override { lost_.push_back({event, issues_.size()}); }
  void copy_started(const CopyStart& event) override { reader_.copy_started(event); }
  void copy_done(const CopyDone& event) override { reader_.copy_done(event); }
  void beats(const MemoryBeats& event) override { reader_.beats(event); }
  void marked(const MarkerTiming& event) override { reader_.marked(event); }
  void progress(std::uint64_t cycle) override {
    flush();
    reader_.progress(cycle);
  }
  void ended(std::uint64_t cycles) override {
    flush();
    reader_.ended(cycles);
  }

  // Gives the readers everything, in the order in which it came.
  void flush();

 private:
  struct Lost {
    LostCycles event;
    std::size_t issues = 0;  // that came before it
  };

  TimingSink& reader_;
  std::vector<IssueTiming> issues_;
  std::vector<Lost> lost_;
};

}  // namespace tandem
