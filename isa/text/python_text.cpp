#include "isa/text/python_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "isa/registers/registers.hpp"

namespace tandem {
namespace {

constexpr std::array<std::string_view, 3> python_words{"and", "or", "not"};

std::string register_item(char file, std::int64_t number) {
  return fmt::format("{}[{}]", file, number);
}

// "s[3] + 8", "s[3]", or with base s0 the constant alone.
std::string address(std::int32_t base, std::int64_t offset) {
  if (base == 0) return fmt::format("{}", offset);
  const std::string scalar = register_item('s', base);
  if (offset == 0) return scalar;
  return fmt::format("{} {} {}", scalar, offset < 0 ? '-' : '+', std::abs(offset));
}

std::string negated(const OperandValue& value, char file) {
  return (value.extra != 0 ? "~" : "") + register_item(file, value.value);
}

std::string source(const OperandValue& value) {
  switch (static_cast<SourceForm>(value.extra)) {
    case SourceForm::vector: return register_item('v', value.value);
    case SourceForm::lo: return register_item('v', value.value) + ".lo";
    case SourceForm::hi: return register_item('v', value.value) + ".hi";
    case SourceForm::scalar: return register_item('s', value.value);
    case SourceForm::constant: return fmt::format("{}", value.imm);
  }
  return {};
}

std::string target(std::int32_t value, const LabelName& label_of) {
  const auto pc = static_cast<std::uint32_t>(value);
  const std::string name = label_of ? label_of(pc) : std::string();
  return name.empty() ? fmt::format("{}", pc) : fmt::format("Label({})", python_string(name));
}

std::string csr(std::int32_t value) {
  const Register* row = find_register(static_cast<std::uint32_t>(value));
  return python_string(row != nullptr ? row->name : fmt::format("{}", value));
}

std::string flag(const OperandValue& value) {
  if (value.extra == 0) return register_item('f', value.value);
  return "f[" + address(static_cast<std::int32_t>(value.extra), value.value) + "]";
}

std::string operand_text(const Operand& operand, const OperandValue& value,
                         const LabelName& label_of) {
  switch (operand.kind) {
    case OperandKind::sreg: return register_item('s', value.value);
    case OperandKind::preg: return negated(value, 'p');
    case OperandKind::vreg: return register_item('v', value.value);
    case OperandKind::mreg:
    case OperandKind::mask: return negated(value, 'm');
    case OperandKind::vsource: return source(value);
    case OperandKind::scalar_imm:
      return value.extra != 0 ? fmt::format("{}", value.imm) : register_item('s', value.value);
    case OperandKind::target: return target(value.value, label_of);
    case OperandKind::constant: return fmt::format("{}", static_cast<std::uint32_t>(value.value));
    case OperandKind::csr: return csr(value.value);
    case OperandKind::flag: return flag(value);
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::weight_row: return address(value.value, value.imm);
    case OperandKind::descriptor:
      return address(value.value, std::int64_t{value.imm} * descriptor_words);
    case OperandKind::accumulator: return "a[" + address(value.value, value.imm) + "]";
    case OperandKind::part:
      return register_item('v', value.value) + "." +
             std::string(part_suffix(static_cast<Part>(value.extra)));
    case OperandKind::stride:
    case OperandKind::rows: return fmt::format("{}", value.value);
    case OperandKind::option: return "True";
  }
  return {};
}

bool fits_several_slots(Group group) { return group == Group::scalar || group == Group::valu; }

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

}  // namespace

std::string python_function_name(std::string_view mnemonic) {
  std::string name(mnemonic);
  std::replace(name.begin(), name.end(), '.', '_');
  const bool taken =
      std::find(python_words.begin(), python_words.end(), name) != python_words.end();
  return taken ? name + "_" : name;
}

std::string python_operation(Slot slot, const Operation& operation, const LabelName& label_of) {
  const Instruction& row = instruction(operation.op);
  std::string arguments;
  std::string destination;
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    const Operand& operand = *row.operands.items[i];
    const OperandValue& value = operation.operands[i];
    const bool by_name = is_attribute(operand.kind);
    if (by_name && value == default_value(operand)) continue;
    const std::string text = operand_text(operand, value, label_of);
    if (is_destination(operand)) {
      destination = "to=" + text;
    } else {
      append(arguments, by_name ? fmt::format("{}={}", operand.name, text) : text);
    }
  }
  if (!destination.empty()) append(arguments, destination);
  if (operation.predicate != 0 || operation.negate) {
    append(arguments, fmt::format("on={}p[{}]", operation.negate ? "~" : "", operation.predicate));
  }
  if (fits_several_slots(row.group)) append(arguments, fmt::format("slot=\"{}\"", slot_name(slot)));
  return fmt::format("{}({})", python_function_name(row.mnemonic), arguments);
}

std::string python_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace tandem
