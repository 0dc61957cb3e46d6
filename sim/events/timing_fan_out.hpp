// One stream of timing events to several readers.
#pragma once

#include <vector>

#include "sim/events/timing_events.hpp"

namespace tandem {

class TimingFanOut final : public TimingSink {
 public:
  // The sink must outlive this; nullptr is ignored.
  void add(TimingSink* sink) {
    if (sink != nullptr) sinks_.push_back(sink);
  }

  // The cheapest sink that reaches all readers: nullptr, the only reader itself, or this.
  TimingSink* reader() {
    if (sinks_.size() < 2) return sinks_.empty() ? nullptr : sinks_.front();
    return this;
  }

  void issued(const IssueTiming& event) override {
    for (TimingSink* sink : sinks_) sink->issued(event);
  }
  void lost(const LostCycles& event) override {
    for (TimingSink* sink : sinks_) sink->lost(event);
  }
  void issue_run(const IssueRun& run) override {
    for (TimingSink* sink : sinks_) sink->issue_run(run);
  }
  void copy_started(const CopyStart& event) override {
    for (TimingSink* sink : sinks_) sink->copy_started(event);
  }
  void copy_done(const CopyDone& event) override {
    for (TimingSink* sink : sinks_) sink->copy_done(event);
  }
  void beats(const MemoryBeats& event) override {
    for (TimingSink* sink : sinks_) sink->beats(event);
  }
  void marked(const MarkerTiming& event) override {
    for (TimingSink* sink : sinks_) sink->marked(event);
  }
  void progress(std::uint64_t cycle) override {
    for (TimingSink* sink : sinks_) sink->progress(cycle);
  }
  void ended(std::uint64_t cycles) override {
    for (TimingSink* sink : sinks_) sink->ended(cycles);
  }

 private:
  std::vector<TimingSink*> sinks_;
};

}  // namespace tandem
