// python/tandem/assembly/instructions.py: one function per instruction.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "isa/emit/emit.hpp"
#include "isa/instructions.hpp"
#include "isa/text/python_text.hpp"
#include "isa/text/text.hpp"

namespace tandem::emit {
namespace {

// How Python expresses a kind of operand: the type of the parameter, the function of operands.py
// that spells it.
struct PythonKind {
  std::string_view type;
  std::string_view check;
};

PythonKind kind_of(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::sreg: return {"Scalar", "scalar"};
    case OperandKind::preg: return {"PredicateSource", "predicate"};
    case OperandKind::vreg: return {"Vector", "vector"};
    case OperandKind::mreg: return {"MaskSource", "mask_source"};
    case OperandKind::vsource:
      if (operand.select.width == 0) return {"VectorSource", "vector_source"};
      return {"VectorSourceOrConstant", "vector_source_or_constant"};
    case OperandKind::scalar_imm: return {"ScalarOrConstant", "scalar_or_constant"};
    case OperandKind::target: return {"Target", "target"};
    case OperandKind::constant: return {"Number", "constant"};
    case OperandKind::csr: return {"str", "csr"};
    case OperandKind::flag: return {"Flag", "flag"};
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor: return {"AddressLike", "address"};
    case OperandKind::accumulator: return {"Accumulator", "accumulator"};
    case OperandKind::weight_row: return {"AddressLike", "weight_row"};
    case OperandKind::part: return {"VectorPart", "part"};
    case OperandKind::stride: return {"Number", "number_attribute"};
    case OperandKind::rows: return {"Number", "number_attribute"};
    case OperandKind::mask: return {"MaskSource | None", "mask_attribute"};
    case OperandKind::option: return {"bool", "option"};
  }
  return {};
}

std::string_view register_class(OperandKind kind) {
  switch (kind) {
    case OperandKind::sreg: return "Scalar";
    case OperandKind::preg: return "Predicate";
    case OperandKind::vreg: return "Vector";
    default: return "Mask";
  }
}

std::string parameter_name(const Operand& operand) {
  std::string name(operand.name);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

std::string default_text(const Operand& operand) {
  if (operand.kind == OperandKind::mask) return "None";
  if (operand.kind == OperandKind::option) return "False";
  return fmt::format("{}", default_value(operand).value);
}

std::string parameter(const Operand& operand) {
  const std::string text = fmt::format("{}: {}", parameter_name(operand), kind_of(operand).type);
  return is_attribute(operand.kind) ? text + " = " + default_text(operand) : text;
}

std::string allowed_parts(const Operand& operand) {
  std::string text;
  for (std::uint8_t code = 0; code < 8; ++code) {
    if ((operand.allowed >> code & 1U) == 0) continue;
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", part_suffix(static_cast<Part>(code)));
  }
  return "(" + text + ")";
}

// The call that spells an operand: `scalar("a", a)`.
std::string spelling(const Operand& operand) {
  const std::string name = parameter_name(operand);
  std::string extra;
  if (operand.kind == OperandKind::part) extra = ", " + allowed_parts(operand);
  if (operand.kind == OperandKind::stride || operand.kind == OperandKind::rows) {
    extra = ", " + default_text(operand);
  }
  return fmt::format("o.{}(\"{}\", {}{})", kind_of(operand).check, name, name, extra);
}

struct Signature {
  std::string parameters;  // in the order of the text, attributes by name only
  std::string spellings;
  const Operand* destination = nullptr;
};

void append(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

Signature signature_of(const Instruction& row) {
  Signature result;
  bool by_name = false;
  for (const Operand* operand : row.operands) {
    if (is_destination(*operand)) {
      result.destination = operand;
      continue;
    }
    if (is_attribute(operand->kind) && !by_name) {
      append(result.parameters, "*");
      by_name = true;
    }
    append(result.parameters, parameter(*operand));
    append(result.spellings, spelling(*operand));
  }
  if (!by_name) append(result.parameters, "*");
  if (result.destination != nullptr) {
    append(result.parameters,
           fmt::format("to: {} | None = None", register_class(result.destination->kind)));
  }
  append(result.parameters, "on: On = None, slot: InSlot = None");
  return result;
}

void function(std::string& out, const Instruction& row) {
  const Signature signature = signature_of(row);
  const auto into = std::back_inserter(out);
  const std::string_view result =
      signature.destination != nullptr ? register_class(signature.destination->kind) : "None";
  const std::string name = python_function_name(row.mnemonic);
  fmt::format_to(into, "\n\ndef {}({}) -> {}:\n    \"\"\"`{}`: {}\"\"\"\n", name,
                 signature.parameters, result, row.mnemonic, row.meaning);
  if (signature.destination != nullptr) {
    fmt::format_to(into, "    return assignment(\"{}\", {}, to, [{}], on, slot)\n", row.mnemonic,
                   result, signature.spellings);
  } else {
    fmt::format_to(into, "    operation(\"{}\", [{}], on, slot)\n", row.mnemonic,
                   signature.spellings);
  }
}

}  // namespace

std::string python_instructions() {
  std::string text =
      "\"\"\"The instructions as functions, in the order of docs/isa.md.\n\n"
      "Generated by tandem_emit from isa/instructions.def; do not edit. A register that is written "
      "is `to`,\nor, in a linear block, a new one that the call returns. `on` is a predicate, "
      "`slot` "
      "one of sa, sb, va,\nvb, ld, st, mx, xu, dma.\n\"\"\"\n\n"
      "from tandem.assembly import operands as o\n"
      "from tandem.assembly.operands import (AddressLike, InSlot, MaskSource, On, "
      "PredicateSource,\n"
      "                                      ScalarOrConstant, Target, VectorSource,\n"
      "                                      VectorSourceOrConstant)\n"
      "from tandem.assembly.program import assignment, operation\n"
      "from tandem.assembly.values import (Accumulator, Flag, Mask, Number, Predicate, Scalar, "
      "Vector,\n                                    VectorPart)\n";
  std::string names;
  for (const Instruction& row : instructions) {
    function(text, row);
    append(names, fmt::format("\n    \"{}\"", python_function_name(row.mnemonic)));
  }
  return text + "\n\n__all__ = [" + names + ",\n]\n";
}

}  // namespace tandem::emit
