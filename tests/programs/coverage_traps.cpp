#include "tests/programs/coverage_traps.hpp"

#include <fmt/format.h>

#include <array>

#include "isa/instructions.hpp"

namespace tandem::directed {
namespace {

std::string_view name_of(Slot slot) { return slot_layouts[static_cast<std::size_t>(slot)].name; }

bool is_outside(const Operand& operand, SlotBits bits) {
  switch (operand.kind) {
    case OperandKind::part: return (operand.allowed >> get_field(bits, operand.extra) & 1U) == 0;
    case OperandKind::vsource:
      return get_field(bits, operand.select) == 0 &&
             get_field(bits, operand.extra) == static_cast<std::uint32_t>(SourceForm::scalar) &&
             get_field(bits, operand.value) >= scalar_registers;
    case OperandKind::csr: return true;  // nothing else can be wrong in such an operation
    default: return false;
  }
}

std::string_view outside_name(OperandKind kind) {
  switch (kind) {
    case OperandKind::part: return "part";
    case OperandKind::vsource: return "scalar source";
    case OperandKind::csr: return "csr";
    default: return "?";
  }
}

// Bits of the form of a "register or constant" that is not selected.
bool has_both_forms(const Operand& operand, SlotBits bits) {
  if (operand.kind != OperandKind::scalar_imm) return false;
  const bool constant = get_field(bits, operand.extra) != 0;
  SlotBits selected = put_field(0, constant ? operand.imm : operand.value, ~0U);
  SlotBits other = put_field(0, constant ? operand.value : operand.imm, ~0U);
  return (bits & other & ~selected) != 0;
}

// Which rule of "Illegal encoding" a slot breaks.
std::string illegal_kind(Slot slot, SlotBits bits) {
  const std::uint32_t opcode = get_field(bits, opcode_field);
  if (opcode == 0) return fmt::format("bits in the empty {}", name_of(slot));
  const Instruction* row = find_instruction(slot, static_cast<std::uint8_t>(opcode));
  if (row == nullptr) return fmt::format("unknown opcode in {}", name_of(slot));
  for (const Operand* operand : row->operands) {
    if (is_outside(*operand, bits)) {
      return fmt::format("{} of {}", outside_name(operand->kind), row->mnemonic);
    }
  }
  for (const Operand* operand : row->operands) {
    if (!has_both_forms(*operand, bits)) continue;
    const bool constant = get_field(bits, operand->extra) != 0;
    return fmt::format("{} with bits of the other form", constant ? "constant" : "register");
  }
  return fmt::format("stray bit in {}", name_of(slot));
}

std::string operation_name(const RetireRecord& record) {
  const auto operation = decode(record.trap.slot, slot_bits(record.bundle, record.trap.slot));
  return operation ? std::string(instruction(operation->op).mnemonic) : "nothing";
}

std::string jump_name(const RetireRecord& record) {
  return (record.enabled & 1U) != 0 ? operation_name(record) : "falling off";
}

}  // namespace

void add_trap(const RetireRecord& record, Bins& bins) {
  const Trap& trap = record.trap;
  switch (trap.cause) {
    case TrapCause::illegal_encoding:
      bins.insert("illegal: " + illegal_kind(trap.slot, slot_bits(record.bundle, trap.slot)));
      return;
    case TrapCause::write_conflict:
      bins.insert(fmt::format("conflict of file {}", trap.detail >> 8U));
      return;
    case TrapCause::jump_range: bins.insert("jump range: " + jump_name(record)); return;
    case TrapCause::address_range:
      if (trap.slot == Slot::dma) {
        const bool is_copy = trap.detail == 2 || trap.detail == 4 || trap.detail == 5;
        bins.insert(is_copy ? fmt::format("copy: address range {}", trap.detail)
                            : "copy: descriptor outside SMEM");
      } else if (trap.slot == Slot::mx) {
        const bool aligned = trap.detail % sublanes == 0;
        bins.insert(
            fmt::format("{}: index {}", operation_name(record), aligned ? "outside" : "odd"));
      } else {
        bins.insert("address range: " + operation_name(record));
      }
      return;
    case TrapCause::bad_descriptor:
      bins.insert(fmt::format("copy: bad word {}", trap.detail));
      return;
    case TrapCause::deadlock:
    case TrapCause::explicit_trap: bins.insert(operation_name(record)); return;
    case TrapCause::none:
    case TrapCause::machine_check: return;
  }
}

Bins required_trap_bins() {
  Bins bins{"jump range: br",
            "jump range: call",
            "jump range: jump",
            "jump range: ret",
            "jump range: falling off",
            "address range: sld",
            "address range: sst",
            "address range: vld",
            "address range: vldc",
            "address range: vst",
            "address range: vldx",
            "address range: vstx",
            "address range: ssti",
            "mxread: index outside",
            "mxmul.bf16: index odd",
            "mxmul.s8: index odd",
            "mxpush: index outside",
            "mxpush: index odd",
            "mxpusht: index outside",
            "mxpusht: index odd",
            "copy: descriptor outside SMEM",
            "copy: address range 2",
            "copy: address range 4",
            "copy: address range 5",
            "copy: bad word 16",
            "wait",
            "trap",
            "illegal: scalar source of vadd.f32",
            "illegal: csr of csr",
            "illegal: register with bits of the other form",
            "illegal: constant with bits of the other form"};
  for (int word = 0; word < 16; ++word) {
    if (word != 3 && word != 5) bins.insert(fmt::format("copy: bad word {}", word));
  }
  for (int file = 0; file < 4; ++file) bins.insert(fmt::format("conflict of file {}", file));
  for (const char* name : {"mxpush", "mxpusht", "mxmul.bf16", "mxmul.s8"}) {
    bins.insert(fmt::format("illegal: part of {}", name));
  }
  for (const SlotLayout& slot : slot_layouts) {
    bins.insert(fmt::format("illegal: unknown opcode in {}", slot.name));
    bins.insert(fmt::format("illegal: bits in the empty {}", slot.name));
    // Operations of dma leave no bit uncovered.
    if (slot.name != "dma") bins.insert(fmt::format("illegal: stray bit in {}", slot.name));
  }
  return bins;
}

}  // namespace tandem::directed
