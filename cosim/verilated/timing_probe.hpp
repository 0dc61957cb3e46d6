// Makes the stream of timing events (sim/events/timing_events.hpp) from a machine's outputs cycle
// by cycle: maximal runs of lost cycles and beats, sequence numbers of 64 bits, counters at
// markers.
//
// Call per cycle, cycles counted from the start: first the new events (a machine may show an issue
// or a copy's start a cycle late, a completion in its own), then cause() and beat() of the cycle
// itself, then cycle_done(). Everything is passed to the sink as soon as it is complete.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/models/machine_events.hpp"
#include "sim/events/timing_events.hpp"

namespace tandem {

class Machine;

class TimingProbe {
 public:
  // `machine` is asked for its counters when a marker has issued; they must then be the sums up to
  // and including the cycle of the issue.
  TimingProbe(TimingSink& sink, Machine& machine) : sink_(&sink), machine_(&machine) {}

  // This many bundles have issued before the first event.
  void resume(std::uint64_t bundles) { bundles_ = bundles; }

  void issued(std::uint64_t cycle, const IssueEvent& event);
  void copy_started(std::uint64_t cycle, const CopyIssueEvent& event);
  void copy_done(std::uint64_t cycle, std::uint32_t sequence);

  void cause(std::uint64_t cycle, StallCause cause) {
    if (lost_.count != 0 && cause == lost_.cause) {
      ++lost_.count;
      return;
    }
    close_lost();
    if (cause != StallCause::issued) lost_ = {cycle, 1, cause};
  }
  void beat(std::uint64_t cycle, MemoryPath path);
  void cycle_done(std::uint64_t cycle) {
    if (cycle % progress_interval == 0) progress(cycle);
  }

  // The machine has stopped after this many cycles. Further calls do nothing.
  void ended(std::uint64_t cycles);

  // Everything except the sink and the machine.
  template <typename A>
  void archive(A& a) {
    a(lost_, beats_, bundles_, ended_);
  }

 private:
  static constexpr std::uint64_t progress_interval = 256;

  [[nodiscard]] std::uint64_t widened(std::uint32_t sequence) const;
  void give_marker(const IssueTiming& issue, const IssueEvent& event);
  void close_lost();
  void close_beats(MemoryBeats& run);
  void progress(std::uint64_t cycle);

  TimingSink* sink_;
  Machine* machine_;
  LostCycles lost_;  // count 0: none is open
  std::array<MemoryBeats, 3> beats_{};
  std::uint64_t bundles_ = 0;  // issued so far, the trapping one too
  bool ended_ = false;
};

}  // namespace tandem
