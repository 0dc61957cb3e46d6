#include "isa/object/operand_constant.hpp"

namespace tandem {
namespace {

// The field that holds the constant: `value` of plain constants, `imm` next to a register.
BitField constant_field(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::target:
    case OperandKind::constant:
    case OperandKind::csr:
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::option: return operand.value;
    case OperandKind::scalar_imm:
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor:
    case OperandKind::accumulator:
    case OperandKind::weight_row:
    case OperandKind::vsource: return operand.imm;
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::vreg:
    case OperandKind::mreg:
    case OperandKind::flag:
    case OperandKind::part:
    case OperandKind::mask: return {};
  }
  return {};
}

bool stands_in_value(OperandKind kind) {
  return kind == OperandKind::target || kind == OperandKind::constant ||
         kind == OperandKind::stride || kind == OperandKind::rows;
}

}  // namespace

void select_constant(const Operand& operand, OperandValue& value) {
  if (operand.kind == OperandKind::scalar_imm) value.extra = 1;
  if (operand.kind == OperandKind::vsource) {
    value.extra = static_cast<std::uint32_t>(SourceForm::constant);
  }
}

ConstantRange constant_range(const Operand& operand) {
  const unsigned width = constant_field(operand).width;
  const std::int64_t span = std::int64_t{1} << width;
  if (operand.kind == OperandKind::rows) return {1, span};
  if (operand.kind == OperandKind::descriptor) return {0, (span - 1) * descriptor_words};
  const bool is_signed = operand.imm_signed || operand.kind == OperandKind::stride;
  if (width == 32 && operand.kind != OperandKind::target) return {-span / 2, span - 1};
  return is_signed ? ConstantRange{-span / 2, span / 2 - 1} : ConstantRange{0, span - 1};
}

StoreResult store_constant(const Operand& operand, std::int64_t number, OperandValue& value) {
  const ConstantRange range = constant_range(operand);
  if (number < range.low || number > range.high) return StoreResult::out_of_range;
  if (operand.kind == OperandKind::descriptor) {
    if (number % descriptor_words != 0) return StoreResult::not_multiple;
    number /= descriptor_words;
  }
  const auto bits = static_cast<std::int32_t>(static_cast<std::uint32_t>(number));
  (stands_in_value(operand.kind) ? value.value : value.imm) = bits;
  select_constant(operand, value);
  return StoreResult::stored;
}

bool is_relocatable(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::target:
    case OperandKind::scalar_imm:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor: return true;
    // One constant per operation: of two, the wide one, which can be an address in HBM.
    case OperandKind::smem:
    case OperandKind::constant:
    case OperandKind::vsource: return constant_field(operand).width == 32;
    case OperandKind::csr:
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::option:
    case OperandKind::accumulator:
    case OperandKind::weight_row:
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::vreg:
    case OperandKind::mreg:
    case OperandKind::flag:
    case OperandKind::part:
    case OperandKind::mask: return false;
  }
  return false;
}

std::optional<std::size_t> relocatable_operand(const Instruction& row) {
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    if (is_relocatable(*row.operands.items[i])) return i;
  }
  return std::nullopt;
}

}  // namespace tandem
