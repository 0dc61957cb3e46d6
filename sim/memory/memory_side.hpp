// The memory side of the cycle-exact model: the timing of everything that moves bytes, without the
// bytes. I-cache and its fills, the read port, the copy engine, flags, and the memory behind them,
// cycle-exact (rtl/README.md); the units have the names of their RTL modules.
//
// The issue side drives it. It reports events with their cycles and asks when conditions will hold;
// this side follows lazily, never further than the answer requires. Cycles count as in
// sim/events/timing_events.hpp, and time only moves forward: no call may name a cycle before one
// that an earlier call named or returned.
//
//   MemorySide memory(parameters, timing, text_bundles);
//   memory.start(entry_pc, arguments);                  cycle 0
//   std::uint64_t cycle = memory.bundle_at();           the first bundle is at issue
//   ... its hazards move it to the cycle in which it issues ...
//   cycle = memory.next_bundle(cycle, taken, next_pc);  the next one is at issue
//   ...
//   memory.stop_fetch(cycle);                           a halt issued, or a trap was decided
//   end = memory.idle_from(cycle + 1);                  nothing is in flight any more
//
// A plain value: a copy of it is an independent machine in the same state (see attach()).
#pragma once

#include <cstdint>
#include <span>

#include "isa/descriptor.hpp"
#include "isa/parameters.hpp"
#include "isa/state/retire.hpp"
#include "sim/events/beat_runs.hpp"
#include "sim/events/timing_events.hpp"
#include "sim/memory/copy_engine.hpp"
#include "sim/memory/fetch_timing.hpp"
#include "sim/memory/memory_timing.hpp"
#include "sim/memory/read_port.hpp"

namespace tandem {

// Sums over the cycles before one, equal to the counters of the same names in that cycle.
struct MemoryCounts {
  std::uint64_t hbm_read_bytes = 0;
  std::uint64_t hbm_write_bytes = 0;
  std::uint64_t fetch_bytes = 0;
  std::uint64_t icache_misses = 0;
  std::uint64_t copies = 0;
};

class MemorySide {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // The text as the launch places it in HBM.
  MemorySide(const Parameters& parameters, const MemoryTimingParameters& timing,
             std::uint64_t text_address, std::uint32_t text_bundles);

  // Calls with a `limit` never look past the beginning of that cycle: if the answer is not known by
  // then they return `limit`, and the call can be repeated later.

  // ---- start and end ----------------------------------------------------------------------------

  // The address of the argument block and the number of its words that go to SMEM.
  struct Arguments {
    std::uint64_t address = 0;
    std::uint32_t words = 0;
  };
  // Starts at cycle 0, looking() unless the entry is outside the text. The start copies come after
  // the argument block.
  void start(std::uint32_t entry_pc, const Arguments& arguments,
             std::span<const DescriptorWords> start_copies = {});
  // The first cycle whose cause is not `start`, not looking(): the argument block is in SMEM.
  std::uint64_t running_from(std::uint64_t limit = never);
  // In this cycle a halt issues, a trap is decided or the host stops the machine: fetch requests
  // nothing more from the next cycle on. (No next_bundle() for that bundle.)
  void stop_fetch(std::uint64_t cycle);
  // After stop_fetch(): the first cycle from this one on in which no fill, read or copy is in
  // progress. The machine's last cycle is that one, or a later one in which its other units are
  // idle.
  std::uint64_t idle_from(std::uint64_t cycle, std::uint64_t limit = never);

  // ---- bundles ----------------------------------------------------------------------------------

  // A bundle issued in cycle `issued`; `pc` (inside the text) comes next, by a taken branch or not.
  // Returns the first cycle in which it is at issue. Of the cycles between the two the first is a
  // `branch` bubble when taken; all others are lost to `fetch`. If the lookup has not finished by
  // `limit`, it is looking(), and bundle_at() continues it.
  std::uint64_t next_bundle(std::uint64_t issued, bool taken, std::uint32_t pc,
                            std::uint64_t limit = never) {
    return is_sure(pc) ? issued + (taken ? 2 : 1) : find_bundle(issued, taken, pc, limit);
  }
  // It is there as soon as possible, and the memory side need not be informed.
  [[nodiscard]] bool is_sure(std::uint32_t pc) const { return fetch_.is_sure(pc); }
  [[nodiscard]] bool looking() const { return lookup_.active; }
  std::uint64_t bundle_at(std::uint64_t limit = never);

  // ---- copies and flags -------------------------------------------------------------------------

  // The first cycle from this one on in which the queue of copies is not full.
  std::uint64_t queue_free(std::uint64_t cycle, std::uint64_t limit = never);
  // A bundle with a copy (of a descriptor that passed its check) issues; the queue is not full,
  // according to queue_free(). Its loads and stores and those before it keep VMEM busy until
  // `vmem_free`.
  void copy(std::uint64_t cycle, std::uint64_t vmem_free, std::uint64_t sequence,
            const CopyIssue& copy);

  // A bundle with fadd or fset issues; flag < sync_flags.
  void flag_add(std::uint64_t cycle, std::uint32_t flag, std::uint32_t n);
  void flag_set(std::uint64_t cycle, std::uint32_t flag, std::uint32_t n);
  // A wait tests its flag from this cycle on. Decided in the first cycle in which the flag
  // satisfies it, or in which it does not and no copy is outstanding; in a group, where other chips
  // may add to it, only in the former.
  struct WaitEnd {
    std::uint64_t cycle = 0;
    bool deadlock = false;
    bool met = false;
  };
  WaitEnd wait(std::uint64_t cycle, std::uint32_t flag, std::uint32_t n,
               std::uint64_t limit = never);

  // ---- queries ----------------------------------------------------------------------------------

  // The value of a csr read that issues in this cycle.
  MemoryCounts counts(std::uint64_t cycle);
  // In this cycle, from what issued before it: the flag; copies that are not complete.
  std::uint32_t flag(std::uint64_t cycle, std::uint32_t flag);
  std::uint32_t copies_outstanding(std::uint64_t cycle);
  // No copy started by this chip or another one is in progress; only fetch is active.
  bool still(std::uint64_t cycle);

  // From a start on, this is a chip of a group; the owner's pointer, nullptr: a machine alone.
  void tie(ChipLinks* links) { copies_.tie(links); }
  [[nodiscard]] bool tied() const { return copies_.tied(); }

  // The machine has ended in the cycle before this one; traffic from others continues, but no
  // longer counts.
  void end(std::uint64_t cycle) {
    advance(cycle);
    counts_ = false;
    sink_ = nullptr;
  }

  // Advances this side to the beginning of `cycle`, if it is not there yet.
  void advance(std::uint64_t cycle);

  // Completions of copies and beats go to `sink` from now on (nullptr: nowhere). The pointer is the
  // owner's: a clone must be given its own.
  void attach(TimingSink* sink) { sink_ = sink; }
  // With a sink: passes on events before `cycle`, and returns the cycle before which every event
  // that begins has been passed on (a run of beats may continue).
  std::uint64_t give_events(std::uint64_t cycle);
  // The machine has stopped at the beginning of this cycle: nothing continues.
  void give_all_events(std::uint64_t cycle);

  // Everything except the sink; for a launch with the same text and arguments.
  template <typename A>
  void archive(A& a) {
    a(running_from_, now_, lookup_, fetch_, port_, copies_, read_beats_, write_beats_, fetch_beats_,
      completed_, beats_);
  }

 private:
  // The fetch PC is at `pc` and waits for a hit.
  struct Lookup {
    bool active = false;
    bool found = false;  // in cycle `from`
    std::uint32_t pc = 0;
    std::uint64_t from = 0;  // the first cycle to check
  };
  std::uint64_t find_bundle(std::uint64_t issued, bool taken, std::uint32_t pc,
                            std::uint64_t limit);
  void move_pc(std::uint64_t cycle, std::uint32_t pc);

  [[nodiscard]] bool idle() const {
    return fetch_.asleep() && copies_.outstanding() == 0 && !tied();
  }
  void push_arguments(const Arguments& arguments);
  void step(std::uint64_t limit);
  bool stretch(std::uint64_t limit);
  void stretch_rows(std::uint64_t end);
  template <bool fetching>
  bool tick();
  void accept_line(std::uint32_t line);
  void give(std::uint64_t cycle, const CopyEngine::Cycle& copies, bool beat, bool copy_beat);

  std::uint64_t text_address_;
  std::uint64_t beat_bytes_;
  std::uint32_t smem_words_;
  std::uint64_t running_from_ = 0;  // 0: not known yet
  std::uint64_t now_ = 0;  // the state is that at the beginning of this cycle; see FetchTiming
  Lookup lookup_;
  FetchTiming fetch_;
  ReadPort port_;
  CopyEngine copies_;
  std::uint64_t read_beats_ = 0;
  std::uint64_t write_beats_ = 0;
  std::uint64_t fetch_beats_ = 0;
  std::uint64_t completed_ = 0;  // copies
  bool counts_ = true;
  TimingSink* sink_ = nullptr;
  BeatRuns beats_;
};

}  // namespace tandem
