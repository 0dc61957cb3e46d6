#include "isa/golden/engine.hpp"

#include "isa/encoding.hpp"
#include "isa/golden/record.hpp"
#include "isa/numerics/flush_scope.hpp"
#include "isa/registers.hpp"

namespace tandem::golden {

Core::Core(const Launch& launch, GoldenOptions chosen)
    : text{launch.text_address,
           launch.text_address + launch.image->text.size() * std::uint64_t{bundle_bytes}},
      text_bundles(static_cast<std::uint32_t>(launch.image->text.size())),
      argument_pointer(launch.argument_pointer),
      options(std::move(chosen)),
      state(*launch.image->preset, launch.seed),
      hbm(launch.hbm_bytes),
      marks(*launch.image->preset, options.detect_uninitialised),
      races(*launch.image->preset, options.detect_races) {
  for (const HbmSegment& segment : launch.segments) hbm.write(segment.address, segment.bytes);
  pc = launch.image->entry_pc;
}

Engine::Engine(const Launch& launch, GoldenOptions options)
    : image(launch.image),
      core(launch, std::move(options)),
      plans_(launch.image->text.size()),
      recorder_(launch.image->text.size()) {
  // Nothing has been fetched yet, so this trap has no record.
  if (core.pc < core.text_bundles) return;
  core.trap = Trap{TrapCause::jump_range, Slot::sa, core.pc};
  status = RunStatus::trapped;
}

const BundlePlan& Engine::plan_of(std::uint32_t pc) {
  BundlePlan& plan = plans_[pc];
  if (!plan.decoded) plan = plan_bundle(image->text[pc], pool_);
  return plan;
}

bool Engine::check(const BundlePlan& plan, const MicroOp* checks, std::uint16_t enabled) {
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

template <bool with_record>
void Engine::issue(RetireRecord* record) {
  const BundlePlan& plan = plan_of(core.pc);
  const MicroOp* op = pool_.data() + plan.first;
  std::uint32_t enabled = plan.unconditional;
  for (const MicroOp* const end = op + plan.guards; op != end; ++op) {
    if ((core.state.predicates[op->predicate] ^ op->negate) != 0) enabled |= op->slot_bit;
  }
  const auto slots = static_cast<std::uint16_t>(enabled);
  if (plan.traps) core.trap = find_decode_trap(image->text[core.pc]);
  const bool executes = !plan.traps && check(plan, op, slots);
  if constexpr (with_record) {
    recorder_.begin(*record, core, image->text[core.pc]);
  }
  if (!executes) {
    status = RunStatus::trapped;
    return;
  }
  op += plan.checks;
  for (const MicroOp* const end = op + plan.operations; op != end; ++op) {
    if ((enabled & op->slot_bit) != 0) op->execute(core, *op);
  }
  if constexpr (with_record) recorder_.finish(*record, core, image->text[core.pc]);
  ++core.bundles;
  core.pc = core.next_pc;
  if (core.halting || core.finding) finish();
}

void Engine::finish() { status = core.finding ? RunStatus::reported : RunStatus::halted; }

RunStatus Engine::step(RetireRecord* record) {
  if (record != nullptr) record->clear();
  if (status != RunStatus::running) return status;
  const numerics::FlushScope flush;
  if (record != nullptr) {
    issue<true>(record);
  } else {
    issue<false>(nullptr);
  }
  return status;
}

RunStatus Engine::run(std::uint64_t limit) {
  const numerics::FlushScope flush;
  for (std::uint64_t i = 0; i < limit && status == RunStatus::running; ++i) issue<false>(nullptr);
  return status;
}

RunStatus Engine::run_to(std::uint64_t limit, std::span<const std::uint8_t> stops) {
  const numerics::FlushScope flush;
  for (std::uint64_t i = 0; i < limit && status == RunStatus::running; ++i) {
    if (i != 0 && stops[core.pc] != 0) break;
    issue<false>(nullptr);
  }
  return status;
}

std::shared_ptr<const Snapshot> Engine::save(const Snapshot* earlier) {
  return std::make_shared<const Snapshot>(core, status, earlier);
}

void Engine::restore(const Snapshot& snapshot) { status = snapshot.restore(core); }

std::optional<std::uint32_t> Engine::next_volatile_csr() const {
  if (status != RunStatus::running) return std::nullopt;
  const Bundle& bundle = image->text[core.pc];
  const SlotBits bits = slot_bits(bundle, Slot::sb);
  const auto enabled = enabled_slots(bundle, core.state.predicates.data());
  if ((enabled >> static_cast<unsigned>(Slot::sb) & 1U) == 0) return std::nullopt;
  const auto operation = decode(Slot::sb, bits);
  if (!operation || operation->op != Op::csr) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(operation->operands[1].value);
  return find_register(number)->is_volatile ? std::optional(number) : std::nullopt;
}

}  // namespace tandem::golden
