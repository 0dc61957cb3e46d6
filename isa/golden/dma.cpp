// Copies and flags (slot dma). All operands are captured by the check: a copy reads its descriptor
// before the bundle writes anything, and starts after it.
#include <cstdint>

#include "isa/golden/semantics.hpp"

namespace tandem::golden {
namespace {

bool fails(std::uint32_t flag, std::uint32_t n) { return static_cast<std::int32_t>(flag - n) < 0; }

void report_if(Core& core, std::optional<Finding> found) {
  if (found) core.report(std::move(*found));
}

std::uint64_t space_bytes(const Core& core, MemorySpace space) {
  switch (space) {
    case MemorySpace::hbm: return core.hbm.size();
    case MemorySpace::vmem: return core.state.parameters->vmem_bytes;
    case MemorySpace::smem: return core.state.parameters->smem_bytes;
  }
  return 0;
}

void touch_descriptor(Core& core, std::uint32_t address) {
  if (core.races.idle(MemorySpace::smem)) return;
  for (std::uint32_t i = 0; i < descriptor_words; ++i) {
    const std::uint64_t byte = (std::uint64_t{address} + i) * 4;
    report_if(core, core.races.touch(MemorySpace::smem, byte, false, core.pc));
  }
}

}  // namespace

namespace check {

bool copy(Core& core, const MicroOp& op) {
  const std::uint32_t address = core.address(op);
  if (address >= core.state.smem.size()) {
    return core.raise(op, TrapCause::address_range, address);
  }
  if (address % descriptor_words != 0) {
    return core.raise(op, TrapCause::bad_descriptor, descriptor_words);
  }
  for (std::uint32_t i = 0; i < descriptor_words; ++i) {
    core.copy.words[i] = core.state.smem[address + i];
  }
  touch_descriptor(core, address);
  parse_descriptor(core.copy, core.state.scalars[op.sx], core.state.scalars[op.sy]);
  const DescriptorFault fault =
      check_descriptor(core.copy,
                       {space_bytes(core, MemorySpace::hbm), space_bytes(core, MemorySpace::vmem),
                        space_bytes(core, MemorySpace::smem)},
                       core.text, core.chips);
  if (fault.cause == TrapCause::none) return false;
  // Words that a copy in flight still writes are no basis for a trap: this program is reported
  // instead.
  if (!core.finding) return core.raise(op, fault.cause, fault.detail);
  core.copy = Copy{};
  return false;
}

bool wait(Core& core, const MicroOp& op) {
  const std::uint32_t index = core.flag_index(op);
  if (index >= sync_flags) return core.raise(op, TrapCause::address_range, index);
  const std::uint32_t n = core.amount(op);
  const std::uint32_t value = core.state.flags[index];
  if (auto race = core.races.check_wait(index, value, n, core.pc)) {
    core.report(std::move(*race));
    return false;
  }
  // Copies complete immediately here, so a wait that is not satisfied now never will be, except by
  // other chips.
  if (fails(value, n)) {
    core.waits = {index, n};
    return core.raise(op, TrapCause::deadlock, index);
  }
  core.races.wait(index, value, n, core.pc);
  return false;
}

bool flag(Core& core, const MicroOp& op) {
  core.flag = core.flag_index(op);
  if (core.flag >= sync_flags) return core.raise(op, TrapCause::address_range, core.flag);
  core.captured_by(op) = core.amount(op);
  return false;
}

}  // namespace check

namespace execute {

void copy(Core& core, const MicroOp&) {
  if (core.copy.remote && core.copy.chip != core.chip) return send_copy(core);
  core.state.flags[core.copy.flag] += core.copy.amount;
  core.state.flags[core.copy.flag_here] += core.copy.amount_here;
  if (RaceDetector::covers_itself(core.copy, space_bytes(core, core.copy.destination.space))) {
    return core.report(RaceDetector::self_overlap(core.pc));
  }
  report_if(core, core.races.start(core.copy, core.pc));
  perform_copy(core, core);
}

void fadd(Core& core, const MicroOp& op) { core.state.flags[core.flag] += core.captured_by(op); }

void fset(Core& core, const MicroOp& op) {
  report_if(core, core.races.set_flag(core.flag, core.pc));
  core.state.flags[core.flag] = core.captured_by(op);
}

}  // namespace execute
}  // namespace tandem::golden
