#include "isa/encoding.hpp"

#include <algorithm>

#include "isa/registers/registers.hpp"

namespace tandem {
namespace {

SlotBits field_mask(BitField field) {
  return field.width == 0 ? 0 : ((SlotBits{1} << field.width) - 1) << field.lsb;
}

std::int32_t sign_extend(std::uint32_t value, unsigned width) {
  const unsigned shift = 32 - width;
  return static_cast<std::int32_t>(value << shift) >> shift;
}

std::uint32_t low_bits(std::int32_t value, unsigned width) {
  const auto bits = static_cast<std::uint32_t>(value);
  return width >= 32 ? bits : bits & ((1U << width) - 1);
}

bool in_range(std::int64_t value, unsigned width, bool is_signed) {
  if (width == 0) return value == 0;
  const std::int64_t span = std::int64_t{1} << width;
  return is_signed ? value >= -span / 2 && value < span / 2 : value >= 0 && value < span;
}

// A full 32-bit constant may be written signed or unsigned; only its bits matter.
bool constant_in_range(std::int32_t value, unsigned width, bool is_signed) {
  return width == 32 || in_range(value, width, is_signed);
}

constexpr auto constant_form = static_cast<std::uint32_t>(SourceForm::constant);

bool has_select(const Operand& operand) { return operand.select.width != 0; }

// The form given by the bits: `extra`, or the constant of an operand whose select bit is set.
std::uint32_t read_extra(const Operand& operand, SlotBits bits) {
  if (has_select(operand) && get_field(bits, operand.select) != 0) return constant_form;
  return get_field(bits, operand.extra);
}

// The bits of a slot that an operand uses, given its own form bits.
SlotBits used_bits(const Operand& operand, SlotBits bits) {
  const bool constant = selects_constant(operand, read_extra(operand, bits));
  const bool either = register_or_constant(operand);
  SlotBits used = field_mask(operand.select);
  if (!constant || !has_select(operand)) used |= field_mask(operand.extra);
  if (!constant) used |= field_mask(operand.value);
  if (constant || !either) used |= field_mask(operand.imm);
  return used;
}

OperandValue read_operand(const Operand& operand, SlotBits bits) {
  OperandValue result;
  result.extra = read_extra(operand, bits);
  if (!selects_constant(operand, result.extra)) {
    const std::uint32_t raw = get_field(bits, operand.value);
    result.value = operand.kind == OperandKind::stride ? sign_extend(raw, operand.value.width)
                                                       : static_cast<std::int32_t>(raw);
    if (operand.kind == OperandKind::rows) ++result.value;
    if (register_or_constant(operand)) return result;
  }
  const std::uint32_t raw = get_field(bits, operand.imm);
  result.imm = operand.imm_signed && operand.imm.width != 0 ? sign_extend(raw, operand.imm.width)
                                                            : static_cast<std::int32_t>(raw);
  return result;
}

SlotBits write_operand(SlotBits bits, const Operand& operand, const OperandValue& value) {
  const bool constant = selects_constant(operand, value.extra);
  if (has_select(operand)) bits = put_field(bits, operand.select, constant ? 1 : 0);
  if (operand.extra.width != 0 && !(constant && has_select(operand))) {
    bits = put_field(bits, operand.extra, value.extra);
  }
  if (!constant && operand.value.width != 0) {
    const std::int32_t raw = operand.kind == OperandKind::rows ? value.value - 1 : value.value;
    bits = put_field(bits, operand.value, low_bits(raw, operand.value.width));
  }
  const bool has_constant = operand.imm.width != 0 && (constant || !register_or_constant(operand));
  if (has_constant) bits = put_field(bits, operand.imm, low_bits(value.imm, operand.imm.width));
  return bits;
}

// Legality beyond the bits: sets of allowed codes and numbers.
bool meaning_exists(const Operand& operand, const OperandValue& value) {
  switch (operand.kind) {
    case OperandKind::part: return ((operand.allowed >> value.extra) & 1U) != 0;
    case OperandKind::vsource:
      return value.extra != static_cast<std::uint32_t>(SourceForm::scalar) ||
             value.value < static_cast<std::int32_t>(scalar_registers);
    case OperandKind::flag: return value.value < static_cast<std::int32_t>(sync_flags);
    case OperandKind::csr: {
      const Register* row = find_register(static_cast<std::uint32_t>(value.value));
      return row != nullptr && row->program_readable;
    }
    case OperandKind::sreg:
    case OperandKind::preg:
    case OperandKind::vreg:
    case OperandKind::mreg:
    case OperandKind::scalar_imm:
    case OperandKind::target:
    case OperandKind::constant:
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor:
    case OperandKind::accumulator:
    case OperandKind::weight_row:
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::mask:
    case OperandKind::option: return true;
  }
  return false;
}

}  // namespace

bool register_or_constant(const Operand& operand) {
  return operand.kind == OperandKind::scalar_imm || has_select(operand);
}

bool selects_constant(const Operand& operand, std::uint32_t extra) {
  if (operand.kind == OperandKind::scalar_imm) return extra != 0;
  return has_select(operand) && extra == constant_form;
}

SlotBits slot_bits(const Bundle& bundle, Slot slot) {
  const SlotLayout& layout = slot_layouts[static_cast<std::size_t>(slot)];
  const std::size_t word = layout.lsb / 32U;
  const SlotBits high = layout.width == 64 ? SlotBits{bundle[word + 1]} << 32U : 0;
  return bundle[word] | high;
}

void set_slot_bits(Bundle& bundle, Slot slot, SlotBits bits) {
  const SlotLayout& layout = slot_layouts[static_cast<std::size_t>(slot)];
  const std::size_t word = layout.lsb / 32U;
  bundle[word] = static_cast<std::uint32_t>(bits);
  if (layout.width == 64) bundle[word + 1] = static_cast<std::uint32_t>(bits >> 32U);
}

OperandValue default_value(const Operand& operand) {
  OperandValue value;
  if (operand.kind == OperandKind::stride) value.value = 1;
  if (operand.kind == OperandKind::rows) value.value = static_cast<std::int32_t>(sublanes);
  return value;
}

bool fits(const Operand& operand, const OperandValue& value) {
  const bool constant = selects_constant(operand, value.extra);
  const bool form_of_select = constant && has_select(operand);
  if (!form_of_select && !in_range(value.extra, operand.extra.width, false)) return false;
  const std::int64_t raw = value.value - (operand.kind == OperandKind::rows ? 1 : 0);
  const bool is_signed = operand.kind == OperandKind::stride;
  const bool whole_word = operand.value.width == 32;  // targets, codes and CSR numbers
  if (!constant && !whole_word && !in_range(raw, operand.value.width, is_signed)) return false;
  const bool has_constant = constant || !register_or_constant(operand);
  if (has_constant && !constant_in_range(value.imm, operand.imm.width, operand.imm_signed)) {
    return false;
  }
  return meaning_exists(operand, value);
}

SlotBits encode(const Operation& operation) {
  const Instruction& row = instruction(operation.op);
  SlotBits bits = put_field(0, opcode_field, row.opcode);
  bits = put_field(bits, predicate_field, operation.predicate);
  bits = put_field(bits, predicate_negate_field, operation.negate ? 1 : 0);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    bits = write_operand(bits, *row.operands.items[i], operation.operands[i]);
  }
  return bits;
}

std::optional<Operation> decode(Slot slot, SlotBits bits) {
  const auto opcode = static_cast<std::uint8_t>(get_field(bits, opcode_field));
  const Instruction* row = find_instruction(slot, opcode);
  if (row == nullptr) return std::nullopt;
  SlotBits used =
      field_mask(opcode_field) | field_mask(predicate_field) | field_mask(predicate_negate_field);
  Operation operation{row->op,
                      static_cast<std::uint8_t>(get_field(bits, predicate_field)),
                      get_field(bits, predicate_negate_field) != 0,
                      {}};
  for (std::size_t i = 0; i < row->operands.count; ++i) {
    const Operand& operand = *row->operands.items[i];
    used |= used_bits(operand, bits);
    operation.operands[i] = read_operand(operand, bits);
    if (!meaning_exists(operand, operation.operands[i])) return std::nullopt;
  }
  if ((bits & ~used) != 0) return std::nullopt;
  return operation;
}

std::optional<RegisterFile> register_file(OperandKind kind) {
  switch (kind) {
    case OperandKind::preg: return RegisterFile::p;
    case OperandKind::mreg:
    case OperandKind::mask: return RegisterFile::m;
    case OperandKind::vreg:
    case OperandKind::part: return RegisterFile::v;
    case OperandKind::sreg:
    case OperandKind::scalar_imm:
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor:
    case OperandKind::accumulator:
    case OperandKind::weight_row: return RegisterFile::s;
    case OperandKind::vsource:
    case OperandKind::target:
    case OperandKind::constant:
    case OperandKind::csr:
    case OperandKind::flag:
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::option: return std::nullopt;
  }
  __builtin_unreachable();
}

std::optional<RegisterName> source(const Operand& operand, const OperandValue& value) {
  if (is_destination(operand)) return std::nullopt;
  if (selects_constant(operand, value.extra)) return std::nullopt;
  if (operand.kind == OperandKind::flag) {
    return RegisterName{RegisterFile::s, static_cast<std::uint8_t>(value.extra)};
  }
  std::optional<RegisterFile> file = register_file(operand.kind);
  if (operand.kind == OperandKind::vsource) {
    const bool scalar = value.extra == static_cast<std::uint32_t>(SourceForm::scalar);
    file = scalar ? RegisterFile::s : RegisterFile::v;
  }
  if (!file) return std::nullopt;
  return RegisterName{*file, static_cast<std::uint8_t>(value.value)};
}

std::optional<RegisterName> destination(const Operation& operation) {
  const Instruction& row = instruction(operation.op);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    const Operand& operand = *row.operands.items[i];
    if (!is_destination(operand)) continue;
    const RegisterName name{*register_file(operand.kind),
                            static_cast<std::uint8_t>(operation.operands[i].value)};
    if (name.index == 0 && name.file != RegisterFile::v) return std::nullopt;
    return name;
  }
  return std::nullopt;
}

std::optional<WriteConflict> find_write_conflict(const DecodedBundle& bundle) {
  std::array<std::optional<RegisterName>, slot_count> names;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (bundle[slot]) names[slot] = destination(*bundle[slot]);
  }
  std::optional<WriteConflict> found;
  for (std::size_t first = 0; first < slot_count; ++first) {
    if (!names[first] || (found && found->name <= *names[first])) continue;
    for (std::size_t second = first + 1; second < slot_count; ++second) {
      if (names[second] != names[first]) continue;
      found = WriteConflict{*names[first], static_cast<Slot>(second)};
      break;
    }
  }
  return found;
}

}  // namespace tandem
