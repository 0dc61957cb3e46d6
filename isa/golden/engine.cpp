#include "isa/golden/engine.hpp"

#include "isa/encoding.hpp"
#include "isa/golden/engine_loop.hpp"
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

RunStatus Engine::step(RetireRecord* record) {
  NoHook hook;
  return step(record, hook);
}

RunStatus Engine::run(std::uint64_t limit) {
  NoHook hook;
  return run(limit, hook);
}

RunStatus Engine::run_to(std::uint64_t limit, std::span<const std::uint8_t> stops) {
  NoHook hook;
  return run_to(limit, stops, hook);
}

std::shared_ptr<const Snapshot> Engine::save(const Snapshot* earlier) {
  return std::make_shared<const Snapshot>(core, status, earlier);
}

void Engine::restore(const Snapshot& snapshot) { status = snapshot.restore(core); }

std::optional<std::uint32_t> Engine::next_volatile_csr() const {
  if (status != RunStatus::running) return std::nullopt;
  const BundlePlan& plan = plans_[core.pc];
  if (plan.decoded && !plan.volatile_csr) return std::nullopt;
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
