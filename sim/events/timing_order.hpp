// Puts timing events into order of cycle. Two machines whose events are equal, but interleaved
// differently, give equal streams after this, except for beats, which only come early enough.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/events/timing_events.hpp"
#include "sim/events/timing_log.hpp"

namespace tandem {

// Holds events until progress() states that nothing earlier is missing, then passes them on: issues
// and lost cycles as runs, cut where a copy starts or completes in between. Within a cycle: start
// of a copy, issue with the cycles lost right before it, completion of a copy. Beats come before
// everything else in the cycle in which they begin. Markers are not passed on.
class OrderedTiming final : public TimingSink {
 public:
  // `next` must outlive this.
  explicit OrderedTiming(TimingSink& next) : next_(next) {}

  void issued(const IssueTiming& event) override { log_.issued(event); }
  void lost(const LostCycles& event) override { log_.lost(event); }
  void issue_run(const IssueRun& run) override { log_.add(run); }
  void copy_started(const CopyStart& event) override { starts_.add(event); }
  void copy_done(const CopyDone& event) override { dones_.add(event); }
  void beats(const MemoryBeats& event) override {
    beats_.at(static_cast<std::size_t>(event.path)).add(event);
  }
  void progress(std::uint64_t cycle) override;
  void ended(std::uint64_t cycles) override;

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::size_t paths = 3;  // of MemoryPath

  static std::uint64_t begin(const MemoryBeats& event) { return event.first; }
  template <typename Event>
  static std::uint64_t begin(const Event& event) {
    return event.cycle;
  }

  template <typename Event>
  struct Queue {
    std::vector<Event> events;
    std::size_t next = 0;

    void add(const Event& event) { events.push_back(event); }
    [[nodiscard]] std::uint64_t cycle() const {
      return next == events.size() ? never : begin(events[next]);
    }
    const Event& take() { return events[next++]; }
    void drop_taken() {
      events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(next));
      next = 0;
    }
  };

  // Everything that begins before this cycle.
  void pass(std::uint64_t cycle);
  void pass_issue_side(std::uint64_t before);
  void pass_runs(std::uint64_t before);
  void pass_beats(std::uint64_t before);

  TimingSink& next_;
  TimingLog log_;
  std::size_t passed_ = 0;  // runs of log_
  IssueRun rest_;           // of the run after these, if there is one
  Queue<CopyStart> starts_;
  Queue<CopyDone> dones_;
  std::array<Queue<MemoryBeats>, paths> beats_;
};

}  // namespace tandem
