#include "sim/time/cycle_time.hpp"

#include <algorithm>
#include <utility>

#include "isa/timing.hpp"

namespace tandem {
namespace {

// Causes by which a unit or a result holds up a bundle, in order; and the cause for each kind of
// pending result.
constexpr auto first_unit_cause = static_cast<std::size_t>(StallCause::scalar_result);
constexpr auto last_unit_cause = static_cast<std::size_t>(StallCause::mxu_result);
constexpr std::array<StallCause, pending_kinds> pending_causes{
    StallCause::scalar_result, StallCause::vector_result, StallCause::eup, StallCause::xlu,
    StallCause::mxu_result};

// By cause, the first cycle in which it no longer holds.
using Until = std::array<std::uint64_t, last_unit_cause + 1>;

std::uint64_t& of(Until& until, StallCause cause) { return until[static_cast<std::size_t>(cause)]; }
void raise(Until& until, StallCause cause, std::uint64_t cycle) {
  of(until, cause) = std::max(of(until, cause), cycle);
}
std::uint64_t of(const PendingUntil& pending, Pending by) {
  return pending[static_cast<std::size_t>(by)];
}
void raise(PendingUntil& pending, Pending by, std::uint64_t cycle) {
  std::uint64_t& until = pending[static_cast<std::size_t>(by)];
  until = std::max(until, cycle);
}

}  // namespace

CycleModel::Time::Time(const Launch& launch, const MemoryTimingParameters& timing)
    : plans(*launch.image),
      mxu(launch.image->preset->lanes),
      memory(*launch.image->preset, timing, launch.text_address,
             static_cast<std::uint32_t>(launch.image->text.size())),
      arguments{launch.argument_pointer, launch.argument_words},
      start_copies(launch.start_copies),
      row_bytes(launch.image->preset->row_bytes()) {}

bool CycleModel::Time::lose(StallCause cause, std::uint64_t end) {
  const std::uint64_t to = std::min(end, limit);
  if (to > cursor) {
    if (sink != nullptr) extend_run(cause, to);
    lost[static_cast<std::size_t>(cause)] += to - cursor;
    cursor = to;
  }
  return cursor < limit;
}

bool CycleModel::Time::arrive_in_turn(const golden::Core& core, const IssuePlan& plan) {
  waiting = false;
  if (cursor >= limit || (!standing && !fetch(core.pc))) return false;
  if (cursor < ready && !lose_fetch()) return false;
  if (may_wait(plan) && !settle(core, plan)) return false;
  decided = cursor;
  return true;
}

// ---- until the bundle is at issue ---------------------------------------------------------------

// The first lookup, or one that a limit has interrupted.
bool CycleModel::Time::look(std::uint32_t pc) {
  if (!started && !lose_start(pc)) return false;
  if (memory.looking()) ready = memory.bundle_at(limit);
  standing = !memory.looking();
  return standing || lose_fetch();
}

// The first lookup continues meanwhile, and may end before or after.
bool CycleModel::Time::lose_start(std::uint32_t entry_pc) {
  begin(entry_pc);
  if (memory.looking()) ready = memory.bundle_at(limit);
  started = lose(StallCause::start, memory.running_from(limit));
  if (started) ready = std::max(ready, cursor);  // the bundle is not examined before that
  return started;
}

void CycleModel::Time::begin(std::uint32_t entry_pc) {
  if (!begun) memory.start(entry_pc, arguments, start_copies);
  begun = true;
}

bool CycleModel::Time::lose_fetch() {
  if (taken && cursor == decided + 1 && !lose(StallCause::branch, cursor + 1)) return false;
  return lose(StallCause::fetch, ready);
}

// ---- until it issues ----------------------------------------------------------------------------

bool CycleModel::Time::settle(const golden::Core& core, const IssuePlan& plan) {
  if (cursor < idle_until && !lose(StallCause::idling, idle_until)) return false;
  if ((plan.uses & use_broken) != 0) return true;
  PendingUntil pending{};
  scoreboard.wait(plan, ready, pending);
  wait_for_late(plan, pending);
  if ((plan.uses & (uses_that_wait | uses_that_ask_memory)) == 0) return settle_results(pending);
  if (!settle_units(core, plan, pending)) return false;
  if ((plan.uses & use_copy) != 0) return settle_copy(pending);
  if ((plan.uses & use_wait) != 0) return settle_wait(core, plan);
  return true;
}

void CycleModel::Time::wait_for_late(const IssuePlan& plan, PendingUntil& pending) const {
  const std::uint64_t readable = decided + 2;
  if ((plan.scalars & late.scalars) != 0) raise(pending, Pending::scalar, readable);
  if ((plan.v_reads & late.vectors) != 0) raise(pending, Pending::vector, readable);
}

bool CycleModel::Time::settle_results(const PendingUntil& pending) {
  for (std::size_t by = 0; by < pending_kinds; ++by) {
    if (pending[by] > cursor && !lose(pending_causes[by], pending[by])) return false;
  }
  return true;
}

bool CycleModel::Time::settle_units(const golden::Core& core, const IssuePlan& plan,
                                    const PendingUntil& pending) {
  Until until{};
  for (std::size_t by = 0; by < pending_kinds; ++by) of(until, pending_causes[by]) = pending[by];
  if ((plan.uses & (use_load | use_store)) != 0) {
    raise(until, StallCause::vmem_bank, vmem.free_from());
  }
  if ((plan.uses & use_eup) != 0) raise(until, StallCause::eup, eup.free_from());
  if ((plan.uses & use_xlu) != 0) raise(until, StallCause::xlu, xlu.free_from());
  if ((plan.uses & use_push) != 0) {
    const bool transposed = (plan.uses & use_transposed) != 0;
    raise(until, StallCause::mxu_push, mxu.push_from(transposed, core.address(plan.mx)));
  }
  if ((plan.uses & use_multiply) != 0) {
    raise(until, StallCause::mxu_multiply, mxu.multiply_from());
  }
  if ((plan.uses & use_acc_read) != 0) {
    raise(until, StallCause::mxu_result, mxu.read_from(core.address(plan.mx)));
  }
  for (std::size_t cause = first_unit_cause; cause <= last_unit_cause; ++cause) {
    if (until[cause] > cursor && !lose(static_cast<StallCause>(cause), until[cause])) return false;
  }
  return true;
}

// The descriptor check begins as soon as the scalar operands are available, idling or not. Results
// still being computed by the XLU hold it up too, whatever their register file.
bool CycleModel::Time::settle_copy(const PendingUntil& pending) {
  const std::uint64_t operands =
      std::max({ready, of(pending, Pending::scalar), of(pending, Pending::xlu)});
  const std::uint64_t checked = operands + timing::descriptor_check;
  if (!lose(StallCause::copy_queue, checked)) return false;
  return lose(StallCause::copy_queue, memory.queue_free(cursor, limit));
}

bool CycleModel::Time::settle_wait(const golden::Core& core, const IssuePlan& plan) {
  const std::uint32_t flag = core.flag_index(plan.dma);
  if (flag >= sync_flags) return true;  // a trap
  const std::uint32_t n = core.amount(plan.dma);
  if (memory.tied() && traps_first(flag, n, plan.enabled)) return true;
  // Without a copy outstanding the wait ends as well: golden decides the deadlock.
  const MemorySide::WaitEnd end = memory.wait(cursor, flag, n, limit);
  waiting = memory.tied() && !end.met;
  return lose(StallCause::sync_wait, end.cycle);
}

// In a group the wait may last forever; another operation of the bundle that traps does so
// immediately.
bool CycleModel::Time::traps_first(std::uint32_t flag, std::uint32_t n, std::uint16_t enabled) {
  const bool met = static_cast<std::int32_t>(memory.flag(cursor, flag) - n) >= 0;
  return !met && engine->traps_before_wait(enabled);
}

// ---- what it makes others wait for --------------------------------------------------------------

void CycleModel::Time::start(const golden::Core& core, const IssuePlan& plan) {
  std::uint32_t load_cycles = 0;
  if ((plan.uses & (use_load | use_store)) != 0) {
    VmemAccess load, store;
    if ((plan.uses & use_load) != 0) {
      load = vmem_access(core, plan.ld, (plan.uses & use_column) != 0);
    }
    if ((plan.uses & use_store) != 0) store = vmem_access(core, plan.st, false);
    load_cycles = load.cycles;
    loading_rows = load.rows;
    storing_rows = store.rows;
    vmem.start(decided, load.cycles, store.cycles);
  }
  if ((plan.uses & use_landing) != 0) land(plan, std::max(load_cycles, 1U));
  if ((plan.uses & use_eup) != 0) eup.start(decided);
  if ((plan.uses & use_xlu) != 0) xlu.start(decided);
  if ((plan.uses & (use_push | use_multiply | use_acc_read)) != 0) start_matrix(core, plan);
  if ((plan.uses & use_idle) != 0) idle_until = decided + 1 + core.amount(plan.sa);
  quiet_from = std::max({quiet_from, idle_until, vmem.free_from(), eup.free_from(), xlu.free_from(),
                         mxu.idle_from()});
  if ((plan.uses & (use_copy | use_flag_add | use_flag_set)) != 0) start_memory(core, plan);
}

void CycleModel::Time::start_matrix(const golden::Core& core, const IssuePlan& plan) {
  if ((plan.uses & use_push) != 0) mxu.push(decided);
  if ((plan.uses & use_acc_read) != 0) mxu.read(decided);
  if ((plan.uses & use_multiply) != 0) {
    mxu.multiply(decided, core.address(plan.mx), plan.mx.rows, plan.mx.second_option);
  }
}

// Operations of an earlier bundle that retire two cycles after issue do so no later than the halt's
// own end.
void CycleModel::Time::finish(const golden::Core& core, const IssuePlan& plan) {
  if ((plan.uses & (use_load | use_store)) != 0) {
    loaded_rows += loading_rows;
    stored_rows += storing_rows;
  }
  if ((plan.uses & use_late_event) != 0) late_event = decided + 2;
  if ((plan.uses & use_marker) != 0 && sink != nullptr) give_marker(core, plan);
}

void CycleModel::Time::start_memory(const golden::Core& core, const IssuePlan& plan) {
  if ((plan.uses & use_flag_add) != 0) {
    memory.flag_add(decided, core.flag, core.amount(plan.dma));
  } else if ((plan.uses & use_flag_set) != 0) {
    memory.flag_set(decided, core.flag, core.amount(plan.dma));
  } else {
    const CopyIssue copy{core.copy.words, core.copy.source.address, core.copy.destination.address};
    memory.copy(decided, vmem.free_from(), core.bundles, copy);
    if (sink != nullptr) sink->copy_started({decided, core.bundles, copy});
  }
}

// ---- the end ------------------------------------------------------------------------------------

bool CycleModel::Time::trap_at_entry(const golden::Core& core) {
  if (!lose_start(core.pc)) return false;
  decided = cursor;
  end_issue();
  return true;
}

bool CycleModel::Time::stop_issue(const golden::Core& core) {
  if (!started) {
    // Without the lookup, which would continue past the stop.
    begin(core.pc);
    started = lose(StallCause::start, memory.running_from(limit));
    if (!started) return false;
  }
  if (!standing) bring_fetch_to_cursor(core.pc);
  decided = cursor;
  end_issue();
  return true;
}

void CycleModel::Time::bring_fetch_to_cursor(std::uint32_t pc) {
  const std::uint64_t kept = std::exchange(limit, cursor);
  fetch(pc);
  limit = kept;
}

void CycleModel::Time::end_issue() {
  memory.stop_fetch(decided);
  stopping = true;
}

bool CycleModel::Time::drain() {
  const std::uint64_t idle = std::max(
      {decided + 1, scoreboard.idle_from(), vmem.idle_from(), mxu.idle_from(), late_event});
  if (idle >= limit) return lose(StallCause::drain, limit);
  const std::uint64_t last = memory.idle_from(idle, limit);
  if (last >= limit) return lose(StallCause::drain, limit);
  lose(StallCause::drain, last + 1);  // may be the limit itself
  ended = true;
  return true;
}

}  // namespace tandem
