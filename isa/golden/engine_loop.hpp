// The bodies of Engine's loop, for code that compiles it with its own hook.
#pragma once

#include "isa/golden/engine.hpp"
#include "isa/golden/record.hpp"
#include "isa/numerics/flush_scope.hpp"

namespace tandem::golden {

inline const BundlePlan& Engine::plan_of(std::uint32_t pc) {
  BundlePlan& plan = plans_[pc];
  if (!plan.decoded) plan = plan_bundle(image->text[pc], pool_);
  return plan;
}

inline bool Engine::check(const BundlePlan& plan, const MicroOp* checks, std::uint16_t enabled) {
  core.next_pc = core.pc + 1;
  const MicroOp* const end = checks + plan.checks;
  if (plan.control) {
    if ((enabled & checks->slot_bit) != 0 && checks->check(core, *checks)) return false;
    ++checks;
  }
  if (core.next_pc >= core.text_bundles && !core.halting) {
    core.trap = Trap{TrapCause::jump_range, Slot::sa, core.next_pc};
    return false;
  }
  for (; checks != end; ++checks) {
    if ((enabled & checks->slot_bit) != 0 && checks->check(core, *checks)) return false;
  }
  return true;
}

template <bool with_record, typename Hook>
bool Engine::issue(RetireRecord* record, Hook& hook) {
  const BundlePlan& plan = plan_of(core.pc);
  const MicroOp* op = pool_.data() + plan.first;
  std::uint32_t enabled = plan.unconditional;
  std::uint32_t variant = 0;
  for (std::uint32_t i = 0; i < plan.guards; ++i, ++op) {
    const bool holds = (core.state.predicates[op->predicate] ^ op->negate) != 0;
    if (holds) enabled |= op->slot_bit;
    variant = 2 * variant + (holds ? 1 : 0);
  }
  const auto slots = static_cast<std::uint16_t>(enabled);
  if (!hook.arrive(core, plan, {slots, static_cast<std::uint16_t>(variant)})) return false;
  if (plan.traps) core.trap = find_decode_trap(image->text[core.pc]);
  const bool executes = !plan.traps && check(plan, op, slots);
  if constexpr (with_record) {
    record->enabled =
        plan.traps ? enabled_slots(image->text[core.pc], core.state.predicates.data()) : slots;
    recorder_.begin(*record, core, image->text[core.pc]);
  }
  hook.begin(core, executes);
  if (!executes) {
    status = RunStatus::trapped;
    return true;
  }
  op += plan.checks;
  for (const MicroOp* const end = op + plan.operations; op != end; ++op) {
    if ((enabled & op->slot_bit) != 0) op->execute(core, *op);
  }
  if constexpr (with_record) recorder_.finish(*record, core, plan);
  hook.end(core);
  ++core.bundles;
  core.pc = core.next_pc;
  if (core.halting || core.finding) finish();
  return true;
}

inline void Engine::finish() { status = core.finding ? RunStatus::reported : RunStatus::halted; }

template <typename Hook>
RunStatus Engine::step(RetireRecord* record, Hook& hook) {
  if (record != nullptr) record->clear();
  if (status != RunStatus::running) return status;
  const numerics::FlushScope flush;
  if (record != nullptr) {
    issue<true>(record, hook);
  } else {
    issue<false>(nullptr, hook);
  }
  return status;
}

template <typename Hook>
RunStatus Engine::run(std::uint64_t limit, Hook& hook) {
  const numerics::FlushScope flush;
  for (std::uint64_t i = 0; i < limit && status == RunStatus::running; ++i) {
    if (!issue<false>(nullptr, hook)) break;
  }
  return status;
}

template <typename Hook>
RunStatus Engine::run_to(std::uint64_t limit, std::span<const std::uint8_t> stops, Hook& hook) {
  const numerics::FlushScope flush;
  for (std::uint64_t i = 0; i < limit && status == RunStatus::running; ++i) {
    if (i != 0 && stops[core.pc] != 0) break;
    if (!issue<false>(nullptr, hook)) break;
  }
  return status;
}

}  // namespace tandem::golden
