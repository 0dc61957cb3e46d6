// Branches, halt and trap (slot sa), SMEM and CSRs (slot sb).
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "isa/golden/semantics.hpp"
#include "isa/registers/registers.hpp"

namespace tandem::golden {
namespace {

enum : std::uint32_t {
#define REGISTER(name, number, host, readable, kind, meaning) csr_##name = (number),
#include "isa/registers/registers.def"
#undef REGISTER
};

// The registers of a launch that do not depend on time and that programs can read.
std::uint32_t stable_csr(const Core& core, std::uint32_t number) {
  const Parameters& machine = *core.state.parameters;
  const std::uint64_t hbm_bytes = core.hbm.size();
  switch (number) {
    case csr_id: return 0x444e4154;
    case csr_version: return 1;
    case csr_arg_lo: return static_cast<std::uint32_t>(core.argument_pointer);
    case csr_arg_hi: return static_cast<std::uint32_t>(core.argument_pointer >> 32U);
    case csr_arg_words: return core.argument_words;
    case csr_hbm_lo: return static_cast<std::uint32_t>(hbm_bytes);
    case csr_hbm_hi: return static_cast<std::uint32_t>(hbm_bytes >> 32U);
    case csr_core_id: return 0;
    case csr_lanes: return machine.lanes;
    case csr_sublane_count: return sublanes;
    case csr_vmem_rows: return machine.vmem_rows();
    case csr_smem_words: return machine.smem_words();
    case csr_icache_bundles: return machine.icache_bundles;
    case csr_chip: return core.chip;
    case csr_chips: return core.chips;
    default: break;
  }
  std::fprintf(stderr, "unimplemented: no value for CSR %u\n", number);
  std::abort();
}

std::uint32_t volatile_csr(Core& core, std::uint32_t number) {
  ++core.volatile_reads;
  if (core.options.volatile_csr) return core.options.volatile_csr(number);
  switch (number) {
    case csr_cycles_lo:
    case csr_bundles_lo: return static_cast<std::uint32_t>(core.bundles);
    case csr_cycles_hi:
    case csr_bundles_hi: return static_cast<std::uint32_t>(core.bundles >> 32U);
    default: return 0;
  }
}

void touch_smem(Core& core, std::uint32_t word, bool write) {
  if (core.races.idle(MemorySpace::smem)) return;
  if (auto found = core.races.touch(MemorySpace::smem, std::uint64_t{word} * 4, write, core.pc)) {
    core.report(std::move(*found));
  }
}

}  // namespace

namespace check {

bool trap(Core& core, const MicroOp& op) {
  return core.raise(op, TrapCause::explicit_trap, op.value);
}

bool branch(Core& core, const MicroOp& op) {
  core.next_pc = op.value;
  return false;
}

bool jump(Core& core, const MicroOp& op) {
  core.next_pc = core.state.scalars[op.sx];
  return false;
}

bool halt(Core& core, const MicroOp&) {
  core.halting = true;
  return false;
}

bool smem(Core& core, const MicroOp& op) {
  const std::uint32_t word = core.address(op);
  if (word >= core.state.smem.size()) return core.raise(op, TrapCause::address_range, word);
  core.captured_by(op) = word;
  return false;
}

}  // namespace check

namespace execute {

// The check has done all of these.
void br(Core&, const MicroOp&) {}
void jump(Core&, const MicroOp&) {}
void ret(Core&, const MicroOp&) {}
void halt(Core&, const MicroOp&) {}
void trap(Core&, const MicroOp&) {}
void idle(Core&, const MicroOp&) {}
void marker(Core&, const MicroOp&) {}
void wait(Core&, const MicroOp&) {}

void call(Core& core, const MicroOp& op) { core.state.scalars[op.d] = core.pc + 1; }

void sld(Core& core, const MicroOp& op) {
  const std::uint32_t word = core.captured_by(op);
  touch_smem(core, word, false);
  core.state.scalars[op.d] = core.state.smem[word];
}

void sst(Core& core, const MicroOp& op) {
  const std::uint32_t word = core.captured_by(op);
  touch_smem(core, word, true);
  core.state.smem[word] = core.state.scalars[op.sx];
}

void ssti(Core& core, const MicroOp& op) {
  const std::uint32_t word = core.captured_by(op);
  touch_smem(core, word, true);
  core.state.smem[word] = op.value;
}

void csr(Core& core, const MicroOp& op) {
  core.state.scalars[op.d] =
      op.is_volatile ? volatile_csr(core, op.value) : stable_csr(core, op.value);
}

}  // namespace execute
}  // namespace tandem::golden
