// Timing events: the stream that every machine with time produces, RTL (through cosim) and the
// cycle-exact model alike. Three-model lockstep compares two such streams; counters, traces,
// reports and the debugger read one.
//
// Cycles count from 0, the first cycle after the start, as the counter `cycles` does: a csr read of
// it that issues in cycle t gives t.
//
// Order: events of one kind (issues and lost cycles are one, beats of each path) come in order of
// cycle. Kinds may be interleaved in any way, because a model may compute the memory's part later
// than the issue; progress() states how far all are.
#pragma once

#include <cstdint>

#include "isa/parameters.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/retire.hpp"
#include "isa/state/trap.hpp"
#include "sim/events/counter_values.hpp"
#include "sim/events/issue_run.hpp"

namespace tandem {

// A bundle issues in this cycle, or its trap is decided.
struct IssueTiming {
  std::uint64_t cycle = 0;
  std::uint64_t sequence = 0;  // as RetireRecord::sequence
  std::uint32_t pc = 0;
  std::uint32_t next_pc = 0;
  std::uint16_t enabled = 0;  // bit per slot, as RetireRecord::enabled
  bool halted = false;
  Trap trap{};
};

// Cycles in which no bundle issues, for one cause: a maximal run of adjacent cycles. They belong to
// the bundle that issues next; those of cause `drain` after a halt or trap belong to the end.
struct LostCycles {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  StallCause cause = StallCause::issued;
};

// A copy's bundle issues in this cycle.
struct CopyStart {
  std::uint64_t cycle = 0;
  std::uint64_t sequence = 0;  // of its bundle
  CopyIssue copy{};
};

// The flag of the copy is added in this cycle: all its bytes are in place, and a wait can be
// satisfied from the next cycle on. (The cycle in which event `copies` counts.)
struct CopyDone {
  std::uint64_t cycle = 0;
  std::uint64_t sequence = 0;
};

// An enabled `marker` issues in this cycle. The counters are the sums over the cycles up to this
// one and including it (so counters.cycles == cycle + 1): the region after a marker begins in the
// cycle after its issue.
struct MarkerTiming {
  std::uint64_t cycle = 0;
  std::uint64_t sequence = 0;  // of its bundle
  std::uint32_t pc = 0;
  std::uint32_t code = 0;
  CounterValues counters{};
};

enum class MemoryPath : std::uint8_t {
  fetch,       // a beat of a line fill arrives (event fetch_bytes)
  copy_read,   // a beat that a copy reads arrives (event hbm_read_bytes)
  copy_write,  // a beat that a copy writes goes out (event hbm_write_bytes)
};

// Beats of one path in adjacent cycles, one per cycle: a maximal run.
struct MemoryBeats {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  MemoryPath path = MemoryPath::fetch;
};

class TimingSink {
 public:
  virtual ~TimingSink() = default;
  virtual void issued(const IssueTiming& event) = 0;
  virtual void lost(const LostCycles& event) = 0;
  // Many of both; split up for readers that do not override this. Valid during the call.
  virtual void issue_run(const IssueRun& run);
  virtual void copy_started(const CopyStart& event) = 0;
  virtual void copy_done(const CopyDone& event) = 0;
  virtual void beats(const MemoryBeats& event) = 0;
  // Few readers care.
  virtual void marked(const MarkerTiming&) {}
  // Every event that begins before this cycle has been given. Cycles never decrease; called
  // periodically, and before ended().
  virtual void progress(std::uint64_t cycle) = 0;
  // The machine has stopped after this many cycles; nothing follows.
  virtual void ended(std::uint64_t cycles) = 0;
};

// Passes a run to the sink as single events. A final class that overrides issue_run() with this
// gets them without a virtual call for each.
template <typename Sink>
void give_singly(const IssueRun& run, Sink& sink) {
  std::uint64_t cycle = run.cycle;
  std::uint64_t sequence = run.sequence;
  const IssueWord* const end = run.words.data() + run.words.size();
  for (const IssueWord* word = run.words.data(); word != end; ++word) {
    if (word->lost() != 0) sink.lost({cycle, word->lost(), word->cause()});
    cycle += word->lost();
    if (!word->is_bundle()) continue;
    IssueTiming issue{cycle++, sequence++, word->pc(), run.next_pc, word->enabled(), false, {}};
    const IssueWord* next = word + 1;
    while (next != end && !next->is_bundle()) ++next;
    if (next != end) {
      issue.next_pc = next->pc();
    } else {
      issue.halted = run.halted;
      issue.trap = run.trap;
    }
    sink.issued(issue);
  }
}

}  // namespace tandem
