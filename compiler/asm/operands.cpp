#include "compiler/asm/operands.hpp"

#include <fmt/format.h>

#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

std::string negated(const GivenOperand& given, const std::string& name) {
  return given.negated ? negation(name) : name;
}

std::int64_t number(mlir::Attribute attribute) {
  const auto integer = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  return integer ? integer.getInt() : 0;
}

std::string with_form(const GivenOperand& given, const std::string& name) {
  const auto form = mlir::dyn_cast_or_null<mlir::StringAttr>(given.attribute);
  return form ? name + "." + form.getValue().str() : name;
}

std::string address(const GivenOperand& given, const std::string& name) {
  const std::int64_t offset = number(given.attribute);
  if (name.empty() || name == "s0") return fmt::format("[{}]", offset);
  return offset == 0 ? fmt::format("[{}]", name) : fmt::format("[{} + {}]", name, offset);
}

// `a5` and `8` where there is no register.
std::string place(const GivenOperand& given, const std::string& name, const std::string& prefix) {
  if (!name.empty() && name != "s0") return prefix + address(given, name);
  return prefix + std::to_string(number(given.attribute));
}

}  // namespace

std::string negation(const std::string& name) {
  return name.starts_with('!') ? name.substr(1) : "!" + name;
}

char register_file(mlir::Type type) {
  if (mlir::isa<VectorType>(type)) return 'v';
  if (mlir::isa<MaskType>(type)) return 'm';
  return type.isInteger(1) ? 'p' : 's';
}

std::optional<std::int64_t> constant_word(mlir::Value value) {
  mlir::Attribute attribute;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attribute))) return std::nullopt;
  const auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute);
  if (!integer) return std::nullopt;
  if (integer.getType().isInteger(1)) return integer.getValue().getBoolValue() ? 1 : 0;
  return integer.getValue().getSExtValue();
}

std::string operand_text(const GivenOperand& given, const std::string& name) {
  switch (given.operand->kind) {
    case OperandKind::sreg:
    case OperandKind::vreg: return name;
    case OperandKind::preg:
    case OperandKind::mreg: return negated(given, name);
    case OperandKind::vsource:
    case OperandKind::part: return with_form(given, name);
    case OperandKind::scalar_imm:
    case OperandKind::constant:
      return given.attribute ? std::to_string(number(given.attribute)) : name;
    case OperandKind::csr: return mlir::cast<mlir::StringAttr>(given.attribute).getValue().str();
    case OperandKind::flag: return fmt::format("f{}", number(given.attribute));
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor: return address(given, name);
    case OperandKind::accumulator: return place(given, name, "a");
    case OperandKind::weight_row: return place(given, name, "");
    case OperandKind::stride:
    case OperandKind::rows:
      return given.attribute ? fmt::format("{}={}", given.operand->name, number(given.attribute))
                             : "";
    case OperandKind::mask: return name.empty() ? "" : "mask=" + negated(given, name);
    case OperandKind::option: return given.attribute ? std::string(given.operand->name) : "";
    case OperandKind::target: return "";
  }
  return "";
}

std::string move_text(const std::string& to, const std::string& from) {
  switch (to[1]) {
    case 'v': return fmt::format("{} = vmov {}", to, from);
    case 'm': return fmt::format("{} = mor {}, {}", to, from, from);
    case 'p': return fmt::format("{} = por {}, {}", to, from, from);
    default: return fmt::format("{} = mov {}", to, from);
  }
}

}  // namespace tandem::compiler
