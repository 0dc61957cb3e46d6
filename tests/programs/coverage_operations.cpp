#include "tests/programs/coverage_operations.hpp"

#include <fmt/format.h>

#include "isa/instructions.hpp"
#include "isa/registers/registers.hpp"

namespace tandem::directed {
namespace {

constexpr std::array<const char*, 8> part_names{".f32", ".lo", ".hi", "",
                                                ".b0",  ".b1", ".b2", ".b3"};
constexpr std::array<const char*, 5> source_names{"vector", ".lo", ".hi", "scalar", "constant"};

Bins negatable(const Operand& operand) {
  if (operand.access != Access::read) return {"any"};
  return {"plain", "negated"};
}

Bins part_forms(const Operand& operand) {
  Bins forms;
  for (std::size_t code = 0; code < part_names.size(); ++code) {
    if ((operand.allowed >> code & 1U) != 0) forms.insert(part_names[code]);
  }
  return forms;
}

Bins numbered(const char* name, int first, int last) {
  Bins forms;
  for (int i = first; i <= last; ++i) forms.insert(fmt::format("{}{}", name, i));
  return forms;
}

Bins csr_forms() {
  Bins forms;
  for (const Register& row : registers()) {
    if (row.program_readable) forms.insert(row.name);
  }
  return forms;
}

std::string stride_form(std::int32_t stride) {
  if (stride < 0) return "stride<0";
  if (stride > 1) return "stride>1";
  return fmt::format("stride={}", stride);
}

std::string mask_form(const OperandValue& value) {
  if (value.value == 0) return value.extra == 0 ? "no mask" : "mask=!m0";
  return value.extra == 0 ? "mask" : "mask negated";
}

std::string address_form(const OperandValue& value) {
  const char* base = value.value == 0 ? "" : "s";
  return fmt::format("[{}{}]", base, value.imm < 0 ? "-" : value.imm > 0 ? "+" : "");
}

std::string scalar_imm_form(const Operand& operand, const OperandValue& value) {
  if (value.extra == 0) return value.value == 0 ? "s0" : "register";
  return operand.imm_signed && value.imm < 0 ? "constant<0" : "constant";
}

}  // namespace

Bins operand_forms(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::sreg:
    case OperandKind::vreg:
    case OperandKind::target: return {"any"};
    case OperandKind::preg:
    case OperandKind::mreg: return negatable(operand);
    case OperandKind::vsource:
      return {source_names.begin(), source_names.end() - (operand.select.width == 0 ? 1 : 0)};
    case OperandKind::scalar_imm:
      if (operand.imm_signed) return {"register", "constant", "constant<0"};
      return {"register", "constant"};
    case OperandKind::constant:
      if (operand.value.width == 2) return numbered("byte ", 0, 3);
      return {"any"};
    case OperandKind::csr: return csr_forms();
    case OperandKind::flag: return {"f", "f[s]"};
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word: return {"[s]", "[s+]", "[s-]", "[+]"};
    case OperandKind::descriptor: return {"[s]", "[s+]", "[+]"};
    case OperandKind::accumulator: return {"[+]", "[s+]"};
    case OperandKind::weight_row: return {"[]", "[s]", "[s+]"};
    case OperandKind::part: return part_forms(operand);
    case OperandKind::stride: return {"stride=0", "stride=1", "stride>1", "stride<0"};
    case OperandKind::rows: return numbered("rows=", 1, 8);
    case OperandKind::mask: return {"no mask", "mask", "mask negated"};
    case OperandKind::option: return {"off", "on"};
  }
  __builtin_unreachable();
}

Bins operand_forms(const Operand& operand, const OperandValue& value) {
  switch (operand.kind) {
    case OperandKind::sreg:
    case OperandKind::vreg:
    case OperandKind::target: return {"any"};
    case OperandKind::flag: return {value.extra == 0 ? "f" : "f[s]"};
    case OperandKind::preg:
    case OperandKind::mreg: return {"any", value.extra != 0 ? "negated" : "plain"};
    case OperandKind::vsource: return {source_names.at(value.extra)};
    case OperandKind::scalar_imm: return {scalar_imm_form(operand, value)};
    case OperandKind::constant: return {"any", fmt::format("byte {}", value.value)};
    case OperandKind::csr: return {find_register(static_cast<std::uint32_t>(value.value))->name};
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor:
    case OperandKind::accumulator:
    case OperandKind::weight_row: return {address_form(value)};
    case OperandKind::part: return {part_names.at(value.extra)};
    case OperandKind::stride: return {stride_form(value.value)};
    case OperandKind::rows: return {fmt::format("rows={}", value.value)};
    case OperandKind::mask: return {mask_form(value)};
    case OperandKind::option: return {value.value != 0 ? "on" : "off"};
  }
  __builtin_unreachable();
}

void add_operation(Slot slot, const Operation& operation, bool enabled, Bins& bins) {
  const Instruction& row = instruction(operation.op);
  if (!enabled) {
    bins.insert(fmt::format("{} predicated off", row.mnemonic));
    return;
  }
  bins.insert(
      fmt::format("{} in {}", row.mnemonic, slot_layouts[static_cast<std::size_t>(slot)].name));
  if (operation.predicate != 0) bins.insert(fmt::format("{} predicated on", row.mnemonic));
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    const Operand& operand = *row.operands.items[i];
    for (const std::string& form : operand_forms(operand, operation.operands[i])) {
      bins.insert(fmt::format("{}: {} {}", row.mnemonic, operand.name, form));
    }
  }
}

Bins required_operation_bins() {
  Bins bins;
  for (const Instruction& row : instructions) {
    bins.insert(fmt::format("{} predicated off", row.mnemonic));
    bins.insert(fmt::format("{} predicated on", row.mnemonic));
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      if (!slot_accepts(static_cast<Slot>(slot), row.group)) continue;
      bins.insert(fmt::format("{} in {}", row.mnemonic, slot_layouts[slot].name));
    }
    for (const Operand* operand : row.operands) {
      for (const std::string& form : operand_forms(*operand)) {
        bins.insert(fmt::format("{}: {} {}", row.mnemonic, operand->name, form));
      }
    }
  }
  bins.erase("idle: b constant<0");  // counts as unsigned: it would idle for minutes
  return bins;
}

}  // namespace tandem::directed
