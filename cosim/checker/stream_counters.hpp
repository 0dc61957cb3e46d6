// The performance counters that follow from a stream of timing events: lockstep compares them with
// the machine's own registers, so that an error in either is found.
#pragma once

#include <optional>

#include "cosim/checker/mismatch.hpp"
#include "cosim/checker/slot_counts.hpp"
#include "isa/parameters.hpp"
#include "sim/events/counter_values.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

class StreamCounters final : public TimingSink {
 public:
  explicit StreamCounters(const Parameters& parameters) : beat_bytes_(parameters.beat_bytes()) {}

  void issued(const IssueTiming& event) override;
  void lost(const LostCycles& event) override;
  void issue_run(const IssueRun& run) override { give_singly(run, *this); }
  void copy_started(const CopyStart&) override {}
  void copy_done(const CopyDone&) override { ++event_count(CountedEvent::copies); }
  void beats(const MemoryBeats& event) override;
  void progress(std::uint64_t) override {}
  void ended(std::uint64_t cycles) override {
    values_.cycles = cycles;
    slots_.move_to(values_);
    ended_ = true;
  }

  // All counters once the stream has ended. Events that a stream does not contain are 0.
  [[nodiscard]] const CounterValues& values() const { return values_; }
  // Whether a stream contains this event: operations of slots, bytes of memory, copies.
  static bool tells(CountedEvent event);
  // The first counter of the stream that differs in the machine, as `end.counter`: expected is the
  // stream's.
  [[nodiscard]] std::optional<Mismatch> compare(const CounterValues& machine) const;

  template <typename A>
  void archive(A& a) {
    slots_.move_to(values_);
    a(values_, ended_);
  }

 private:
  std::uint64_t& event_count(CountedEvent event) {
    return values_.events[static_cast<std::size_t>(event)];
  }

  std::uint32_t beat_bytes_;
  CounterValues values_;
  SlotCounts slots_;  // not in values_ yet
  bool ended_ = false;
};

}  // namespace tandem
