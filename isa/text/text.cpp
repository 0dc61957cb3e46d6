#include "isa/text/text.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "isa/registers/registers.hpp"

namespace tandem {
namespace {

// "[s3 + 8]", "[s3 - 8]", "[s3]"; with base s0 the constant alone: "[8]".
std::string address_text(std::int32_t base, std::int64_t offset, std::string_view prefix = "[") {
  if (base == 0) return fmt::format("{}{}]", prefix, offset);
  if (offset == 0) return fmt::format("{}s{}]", prefix, base);
  return fmt::format("{}s{} {} {}]", prefix, base, offset < 0 ? '-' : '+', std::abs(offset));
}

std::string source_text(const OperandValue& value) {
  switch (static_cast<SourceForm>(value.extra)) {
    case SourceForm::vector: return fmt::format("v{}", value.value);
    case SourceForm::lo: return fmt::format("v{}.lo", value.value);
    case SourceForm::hi: return fmt::format("v{}.hi", value.value);
    case SourceForm::scalar: return fmt::format("s{}", value.value);
    case SourceForm::constant: return fmt::format("{}", value.imm);
  }
  return {};
}

std::string target_text(std::int32_t value, const LabelName& label_of) {
  const auto pc = static_cast<std::uint32_t>(value);
  std::string name = label_of ? label_of(pc) : std::string();
  return name.empty() ? fmt::format("{}", pc) : name;
}

std::string csr_text(std::int32_t value) {
  const Register* row = find_register(static_cast<std::uint32_t>(value));
  return row != nullptr ? row->name : fmt::format("{}", value);
}

std::string negated(const OperandValue& value, char file) {
  return fmt::format("{}{}{}", value.extra != 0 ? "!" : "", file, value.value);
}

std::string operand_text(const Operand& operand, const OperandValue& value,
                         const LabelName& label_of) {
  switch (operand.kind) {
    case OperandKind::sreg: return fmt::format("s{}", value.value);
    case OperandKind::preg: return negated(value, 'p');
    case OperandKind::vreg: return fmt::format("v{}", value.value);
    case OperandKind::mreg: return negated(value, 'm');
    case OperandKind::vsource: return source_text(value);
    case OperandKind::scalar_imm:
      return value.extra != 0 ? fmt::format("{}", value.imm) : fmt::format("s{}", value.value);
    case OperandKind::target: return target_text(value.value, label_of);
    case OperandKind::constant: return fmt::format("{}", static_cast<std::uint32_t>(value.value));
    case OperandKind::csr: return csr_text(value.value);
    case OperandKind::flag:
      return value.extra == 0
                 ? fmt::format("f{}", value.value)
                 : address_text(static_cast<std::int32_t>(value.extra), value.value, "f[");
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word: return address_text(value.value, value.imm);
    case OperandKind::descriptor:
      return address_text(value.value, std::int64_t{value.imm} * descriptor_words);
    case OperandKind::accumulator:
      // Constants above 63 trap but can be encoded: a[100], so that the text assembles again.
      return value.value == 0 && value.imm < static_cast<std::int32_t>(accumulators)
                 ? fmt::format("a{}", value.imm)
                 : address_text(value.value, value.imm, "a[");
    case OperandKind::weight_row:
      return value.value == 0 ? fmt::format("{}", value.imm) : address_text(value.value, value.imm);
    case OperandKind::part:
      return fmt::format("v{}.{}", value.value, part_suffix(static_cast<Part>(value.extra)));
    case OperandKind::stride:
    case OperandKind::rows: return fmt::format("{}={}", operand.name, value.value);
    case OperandKind::mask: return fmt::format("{}={}", operand.name, negated(value, 'm'));
    case OperandKind::option: return std::string(operand.name);
  }
  return {};
}

}  // namespace

std::string operation_text(const Operation& operation, const LabelName& label_of) {
  const Instruction& row = instruction(operation.op);
  std::string text;
  if (operation.predicate != 0 || operation.negate) {
    text = fmt::format("@{}p{} ", operation.negate ? "!" : "", operation.predicate);
  }
  std::string sources;
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    const Operand& operand = *row.operands.items[i];
    const OperandValue& value = operation.operands[i];
    if (is_attribute(operand.kind) && value == default_value(operand)) continue;
    const std::string part = operand_text(operand, value, label_of);
    if (is_destination(operand)) {
      text += part + " = ";
    } else {
      sources += (sources.empty() ? " " : ", ") + part;
    }
  }
  return text + std::string(row.mnemonic) + sources;
}

std::string bundle_text(const Bundle& bundle, const LabelName& label_of) {
  std::string text;
  for (std::size_t index = 0; index < slot_count; ++index) {
    const auto slot = static_cast<Slot>(index);
    const SlotBits bits = slot_bits(bundle, slot);
    if (is_empty(bits)) continue;
    const std::optional<Operation> operation = decode(slot, bits);
    text += text.empty() ? " " : " ; ";
    text += fmt::format(
        "{}: {}", slot_name(slot),
        operation ? operation_text(*operation, label_of) : fmt::format("<illegal 0x{:x}>", bits));
  }
  return text.empty() ? "{}" : "{" + text + " }";
}

bool is_legal(const Bundle& bundle) {
  for (std::size_t index = 0; index < slot_count; ++index) {
    const auto slot = static_cast<Slot>(index);
    const SlotBits bits = slot_bits(bundle, slot);
    if (!is_empty(bits) && !decode(slot, bits)) return false;
  }
  return true;
}

std::string_view part_suffix(Part part) {
  switch (part) {
    case Part::f32: return "f32";
    case Part::lo: return "lo";
    case Part::hi: return "hi";
    case Part::b0: return "b0";
    case Part::b1: return "b1";
    case Part::b2: return "b2";
    case Part::b3: return "b3";
  }
  return "?";
}

std::string_view slot_name(Slot slot) { return slot_layouts[static_cast<std::size_t>(slot)].name; }

char file_letter(RegisterFile file) { return "spmv"[static_cast<std::size_t>(file)]; }

std::string register_text(RegisterName name) {
  return fmt::format("{}{}", file_letter(name.file), name.index);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

}  // namespace tandem
