// The account of time behind CycleModel: when the bundle at issue issues, the causes of the cycles
// before it, and the waits that it causes for later ones (tpu_issue in the RTL).
//
// While a bundle is at issue nothing else starts, so each reason to wait holds from the cycle in
// which the bundle arrived up to a cycle known immediately. Walking the causes in their order with
// a cursor therefore gives every lost cycle its cause: each takes the cycles from the cursor to its
// end, if any. Only for the memory side does that cycle have to be queried.
//
// A limit may stop the account anywhere: it then continues from its cursor.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/golden/core.hpp"
#include "isa/golden/decode.hpp"
#include "isa/golden/engine.hpp"
#include "sim/events/counter_values.hpp"
#include "sim/memory/memory_side.hpp"
#include "sim/time/cycle_model.hpp"
#include "sim/time/issue_plan.hpp"
#include "sim/time/issue_scoreboard.hpp"
#include "sim/time/issue_units.hpp"

namespace tandem {

struct CycleModel::Time {
  Time(const Launch& launch, const MemoryTimingParameters& timing);

  // ---- one bundle, in this order ----------------------------------------------------------------
  // `watched`: there is a sink.

  // The bundle at core.pc comes next. True when it is decided before cycle `limit`: `decided` holds
  // the cycle. Else the account is at the limit.
  template <bool watched>
  [[gnu::always_inline]] bool arrive(const golden::Core& core, const IssuePlan& plan) {
    if (!is_plain(core.pc, plan)) return arrive_in_turn(core, plan);
    // It loses one cycle at most: a taken branch leaves no late results.
    lose_cycles<watched>(StallCause::branch, taken ? 1 : 0);
    if (waits_for_late(plan)) {
      const bool scalar = (plan.scalars & late.scalars) != 0;
      lose_cycles<watched>(scalar ? StallCause::scalar_result : StallCause::vector_result, 1);
    }
    decided = cursor;
    return true;
  }
  // It issues in `decided` with all operands captured. Before it executes.
  [[gnu::always_inline]] void issue(const golden::Core& core, const IssuePlan& plan) {
    if ((plan.uses & uses_that_start) != 0) start(core, plan);
  }
  // It has executed.
  template <bool watched>
  [[gnu::always_inline]] void retire(const golden::Core& core, IssuePlan& plan) {
    if constexpr (watched) log_issue(core, plan.enabled);
    taken = plan.taken;
    late = plan.late;
    standing = false;
    cursor = decided + 1;
    if constexpr (watched) {
      if (core.bundles % progress_interval == 0 || core.halting) give_progress(core);
    }
    ++plan.issued;
    if ((plan.uses & uses_that_end) != 0) finish(core, plan);
  }

  // ---- the end ----------------------------------------------------------------------------------

  // The entry point is not a bundle. False when that is not decided before `limit`.
  bool trap_at_entry(const golden::Core& core);
  // A trap is decided in `decided`, whatever is at issue.
  void trap(const golden::Core& core);
  // The host stops the machine at the cursor, or once SMEM is clear; false when that is not before
  // `limit`.
  bool stop_issue(const golden::Core& core);
  // Nothing issues after `decided`.
  void end_issue();
  // The machine stops once everything is idle; false when that is not before `limit`.
  bool drain();

  // ---- register values --------------------------------------------------------------------------

  // At the beginning of the cursor's cycle; the bundle at `pc` comes next, if one does.
  CounterValues counters(std::uint32_t pc);
  // The memory side advances to this cycle, the cursor's or, for a machine that has ended, a later
  // one.
  void bring_memory_to(std::uint64_t cycle, std::uint32_t pc);
  // A volatile CSR, read by the bundle that executes.
  std::uint32_t csr(std::uint32_t number);

  // ---- state ------------------------------------------------------------------------------------

  // The data that every bundle touches, in one place.
  alignas(64) std::uint64_t limit = MemorySide::never;
  std::uint64_t cursor = 0;   // the first cycle without a cause
  std::uint64_t decided = 0;  // when the last bundle issued or trapped
  std::uint64_t ready = 0;    // with `standing`: the first cycle in which the bundle is at issue
  bool standing = false;
  bool begun = false;            // the memory side has started
  bool started = false;          // and issue may begin
  bool taken = false;            // the last bundle branched
  bool stop_asked = false;       // by the host
  bool hold_reads = false;       // stop before a bundle that reads a volatile CSR, as at `limit`
  bool stopping = false;         // nothing issues any more
  bool ended = false;            // the machine has stopped
  bool waiting = false;          // in a group, at the cursor, for additions by other chips
  LateResults late;              // of the last bundle
  std::uint64_t quiet_from = 0;  // only late results hold up anything from here on
  std::uint64_t idle_until = 0;  // nothing issues before
  std::uint64_t late_event = 0;  // late results and slot sb retire nothing from here on

  IssuePlans plans;
  Scoreboard scoreboard;
  VmemPorts vmem;
  RowUnit eup, xlu;
  MxuPorts mxu;
  MemorySide memory;
  MemorySide::Arguments arguments;
  std::vector<DescriptorWords> start_copies;
  std::uint32_t row_bytes;

  std::uint64_t loaded_rows = 0;
  std::uint64_t stored_rows = 0;
  // For the executing bundle: its own csr read does not count them yet.
  std::uint32_t loading_rows = 0, storing_rows = 0;
  std::array<std::uint64_t, cause_count> lost{};  // by cause; `issued` stays 0

  // With a sink: issues and lost cycles that have not been given, from the cycle `words_from` on;
  // after them a run of lost cycles that ends at the cursor.
  std::vector<IssueWord> words;
  std::uint64_t words_from = 0;
  std::uint64_t losses_alone = 0;  // of `words`
  LostCycles run;
  // The owner's: not part of the state. In a group: used to find out what traps.
  golden::Engine* engine = nullptr;
  TimingSink* sink = nullptr;
  void attach(TimingSink* to) {
    if (to != sink) {  // the old one's
      words.clear();
      losses_alone = 0;
      run.count = 0;
    }
    sink = to;
    memory.attach(to);
  }
  // Passes on the issues up to bundle `sequence` at `pc`, which comes next.
  void give_words(std::uint64_t sequence, std::uint32_t pc) {
    if (!words.empty()) give_run(sequence, {.next_pc = pc});
  }
  void give_end();

  // Everything except the sink and the launch.
  template <typename A>
  void archive(A& a) {
    a(cursor, decided, ready, standing, begun, started, taken, stop_asked, stopping, ended, late,
      quiet_from, idle_until, late_event, plans, scoreboard, vmem, eup, xlu, mxu, memory,
      loaded_rows, stored_rows, loading_rows, storing_rows, lost, words, words_from, losses_alone,
      run);
  }

 private:
  // Advances to where the next bundle is at issue; false when the limit comes first.
  [[gnu::always_inline]] bool fetch(std::uint32_t pc) {
    if (!started || memory.looking()) return look(pc);
    ready = memory.next_bundle(decided, taken, pc, limit);
    standing = !memory.looking();
    return standing || lose_fetch();  // always false if it is not there: ready is the limit
  }
  bool look(std::uint32_t pc);
  // Wakes the memory side, once.
  void begin(std::uint32_t entry_pc);
  // Cause `start`, up to the cycle from which bundles may issue.
  bool lose_start(std::uint32_t entry_pc);
  // Attributes the cycles up to `ready` to their causes.
  bool lose_fetch();
  // The memory side has to know the last issue before it may advance to the next cycle.
  void bring_fetch_to_cursor(std::uint32_t pc);
  // True when the bundle could wait for nothing but late results, and no limit is near: the common
  // case, worth its own path. A lookup interrupted by a limit (or by counters(), which asks up to
  // the cursor) has to be resumed, even if its bundle is certain.
  [[nodiscard]] bool is_plain(std::uint32_t pc, const IssuePlan& plan) const {
    return memory.is_sure(pc) && !standing && !memory.looking() && cursor >= quiet_from &&
           cursor + 1 < limit && (plan.uses & uses_that_ask_memory) == 0;
  }
  // The same step by step.
  bool arrive_in_turn(const golden::Core& core, const IssuePlan& plan);
  [[nodiscard]] bool waits_for_late(const IssuePlan& plan) const {
    return ((plan.scalars & late.scalars) | (plan.v_reads & late.vectors)) != 0;
  }
  // False when nothing can hold up the bundle at issue in the cursor's cycle.
  [[nodiscard]] bool may_wait(const IssuePlan& plan) const {
    if ((plan.uses & uses_that_ask_memory) != 0 || waits_for_late(plan)) return true;
    if (cursor >= quiet_from) return false;
    return (plan.uses & uses_that_wait) != 0 || cursor < idle_until || scoreboard.touches(plan);
  }
  bool settle(const golden::Core& core, const IssuePlan& plan);
  void wait_for_late(const IssuePlan& plan, PendingUntil& pending) const;
  bool settle_results(const PendingUntil& pending);
  bool settle_units(const golden::Core& core, const IssuePlan& plan, const PendingUntil& pending);
  bool settle_copy(const PendingUntil& pending);
  bool settle_wait(const golden::Core& core, const IssuePlan& plan);
  bool traps_first(std::uint32_t flag, std::uint32_t n, std::uint16_t enabled);
  void start(const golden::Core& core, const IssuePlan& plan);
  // Its results, a load's after this many cycles of access.
  void land(const IssuePlan& plan, std::uint32_t load_cycles) {
    for (std::size_t i = 0; i < plan.landing_count; ++i) {
      const Landing& landing = plan.landings[i];
      const std::uint32_t more = landing.load ? load_cycles - 1 : 0;
      scoreboard.land(landing.file, landing.index, landing.by, decided + landing.latency + more);
    }
    quiet_from = std::max(quiet_from, scoreboard.idle_from());
  }
  void finish(const golden::Core& core, const IssuePlan& plan);
  void start_memory(const golden::Core& core, const IssuePlan& plan);
  void start_matrix(const golden::Core& core, const IssuePlan& plan);
  // Attributes the cycles up to `end` to a cause; false when the limit comes first or at the same
  // time.
  bool lose(StallCause cause, std::uint64_t end);
  // The same when the limit is known to be far.
  template <bool watched>
  void lose_cycles(StallCause cause, std::uint64_t count) {
    if constexpr (watched) {
      if (count != 0) extend_run(cause, cursor + count);
    }
    lost[static_cast<std::size_t>(cause)] += count;
    cursor += count;
  }
  // The first bundle of each passes on all words, and the progress of events to the sink.
  static constexpr std::uint64_t progress_interval = 256;  // bundles

  void extend_run(StallCause cause, std::uint64_t end) {
    if (run.count != 0 && run.cause != cause) log_run();
    if (run.count == 0) run = {cursor, 0, cause};
    run.count += end - cursor;
  }
  // As a separate word.
  void log_run();
  // The bundle that issues in `decided`, with the run before it.
  [[gnu::always_inline]] void log_issue(const golden::Core& core, std::uint16_t enabled) {
    if (run.count > IssueWord::most_lost_before) log_run();
    if (words.empty()) words_from = decided - run.count;
    words.push_back(IssueWord::bundle(core.pc, enabled, run.count, run.cause));
    run.count = 0;
  }
  // All words; bundle number `behind` comes next. Of `given` only the last bundle's part is used.
  void give_run(std::uint64_t behind, IssueRun given);
  void give_progress(const golden::Core& core);
  void give_marker(const golden::Core& core, const IssuePlan& plan);
  CounterValues counters_before(std::uint64_t cycle);
  // Less work: without those of counts_bundles().
  CounterValues counters_but_bundles(std::uint64_t cycle);
};

}  // namespace tandem
