#include "isa/golden/engine.hpp"

#include <tuple>

#include "isa/encoding.hpp"
#include "isa/golden/copy.hpp"
#include "isa/golden/engine_loop.hpp"
#include "isa/registers/registers.hpp"

namespace tandem::golden {

Core::Core(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
           GoldenOptions chosen)
    : options(std::move(chosen)),
      state(parameters, seed),
      hbm(hbm_bytes),
      marks(parameters, options.detect_uninitialised),
      races(parameters, options.detect_races) {}

namespace {

// The contents of an output are undefined before the program fills it. Memory of an input belongs
// to the input.
void mark_outputs(Marks& marks, const Launch& launch) {
  marks.hbm().clear();
  if (!marks.enabled()) return;
  for (const PlacedTensor& placed : launch.tensors) {
    const Tensor& tensor = placed.tensor;
    if (!tensor.output || tensor.input || !tensor.shares.empty() || placed.pitch == 0) continue;
    const std::uint64_t columns =
        tensor.dimensions.empty() ? 1 : static_cast<std::uint64_t>(tensor.dimensions.back());
    const std::uint64_t words = (columns * plane_element_bytes(tensor.type) + 3) / 4;
    for (std::uint64_t at = 0; at < placed.bytes; at += placed.pitch) {
      marks.hbm().mark((placed.address + at) / 4, words);
    }
  }
  // Two tensors may share memory: the contents of an input count as written.
  for (const PlacedTensor& placed : launch.tensors) {
    if (placed.tensor.input) marks.hbm().define(placed.address / 4, placed.bytes / 4);
  }
}

}  // namespace

void Core::start(const Launch& launch) {
  text_bundles = static_cast<std::uint32_t>(launch.image->text.size());
  text = {launch.text_address, launch.text_address + text_bundles * std::uint64_t{bundle_bytes}};
  argument_pointer = launch.argument_pointer;
  argument_words = launch.argument_words;
  chip = launch.chip;
  chips = launch.chips;
  state.start();
  marks.start();
  mark_outputs(marks, launch);
  races.start();
  load(hbm, launch);
  pc = launch.image->entry_pc;
  next_pc = 0;
  halting = false;
  trap = {};
  bundles = 0;
  volatile_reads = 0;
  finding.reset();
  load_arguments(*this);
  begin_start_copies(*this, launch);
}

Engine::Engine(const Parameters& parameters, std::uint64_t hbm_bytes, std::uint32_t seed,
               GoldenOptions options)
    : core(parameters, hbm_bytes, seed, std::move(options)), recorder_(0) {}

void Engine::start(const Launch& launch) {
  image = launch.image;
  if (launch.program == 0 || launch.program != program_) {
    program_ = launch.program;
    plans_.assign(image->text.size(), {});
    pool_.clear();
    recorder_ = Recorder(image->text.size());
  }
  core.start(launch);
  status = RunStatus::running;
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

void Engine::save_to(ArchiveWriter& archive) { archive(core, status); }

void Engine::restore_from(ArchiveReader& archive) {
  archive(core, status);
  if (core.state.active > 1) refuse_value(core.state.active, "the active buffer of weights");
  if (core.pc >= core.text_bundles && status == RunStatus::running) refuse_value(core.pc, "the PC");
}

// The check that decides is still to come: its effects happen then.
bool Engine::traps_before_wait(std::uint16_t enabled) {
  const BundlePlan& plan = plan_of(core.pc);
  const MicroOp* const checks = pool_.data() + plan.first + plan.guards;
  const auto dma = static_cast<std::uint16_t>(1U << static_cast<unsigned>(Slot::dma));
  const auto before = std::tuple(core.finding, core.trap, core.halting);
  const bool traps = !check(plan, checks, static_cast<std::uint16_t>(enabled & ~dma));
  std::tie(core.finding, core.trap, core.halting) = before;
  return traps;
}

std::optional<std::uint32_t> Engine::next_volatile_csr() const {
  if (status != RunStatus::running) return std::nullopt;
  const BundlePlan& plan = plans_[core.pc];
  if (plan.decoded && !plan.volatile_csr) return std::nullopt;
  const Bundle& bundle = image->text[core.pc];
  const SlotBits bits = slot_bits(bundle, Slot::sb);
  if (get_field(bits, opcode_field) != instruction(Op::csr).opcode) return std::nullopt;
  const auto enabled = enabled_slots(bundle, core.state.predicates.data());
  if ((enabled >> static_cast<unsigned>(Slot::sb) & 1U) == 0) return std::nullopt;
  const auto operation = decode(Slot::sb, bits);
  if (!operation || operation->op != Op::csr) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(operation->operands[1].value);
  return find_register(number)->is_volatile ? std::optional(number) : std::nullopt;
}

}  // namespace tandem::golden
