// Sits between a machine and the readers of its timing events in a lockstep run, which get them
// some hundred cycles at a time, for the reason given in cosim/checker/event_batch.hpp, and perhaps
// in another thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/events/timing_events.hpp"
#include "sim/events/timing_recording.hpp"

namespace tandem {

class TimingBatch final : public TimingSink {
 public:
  void issued(const IssueTiming& event) override { events_.issued(event); }
  void lost(const LostCycles& event) override {
    before_lost_.push_back(events_.issues.size());
    events_.lost(event);
  }
  void copy_started(const CopyStart& event) override { events_.copy_started(event); }
  void copy_done(const CopyDone& event) override { events_.copy_done(event); }
  void beats(const MemoryBeats& event) override { events_.beats(event); }
  void marked(const MarkerTiming& event) override { events_.marked(event); }
  void progress(std::uint64_t cycle) override { events_.progress(cycle); }
  void ended(std::uint64_t cycles) override { events_.ended(cycles); }

  // Moves everything to the other batch, which is empty; this one continues from there.
  void set_aside(TimingBatch& empty);
  // Passes everything to the reader, each kind in order of arrival, and forgets it.
  void give(TimingSink& reader);

 private:
  TimingRecording events_;
  std::vector<std::size_t> before_lost_;  // issues that came before each run of lost cycles
};

}  // namespace tandem
