#include "isa/builder/operation.hpp"

#include <fmt/format.h>

#include "isa/object/operand_constant.hpp"

namespace tandem::builder {
namespace {

void check_fits(const Instruction& row, std::size_t place, const OperandValue& value) {
  const Operand& operand = *row.operands.items[place];
  if (fits(operand, value)) return;
  throw BuildError{fmt::format("`{}` of `{}` cannot be {} (form {}, constant {})", operand.name,
                               row.mnemonic, value.value, value.extra, value.imm)};
}

Operation with_defaults(Op op) {
  Operation operation{op, 0, false, {}};
  const OperandList& operands = instruction(op).operands;
  for (std::size_t i = 0; i < operands.count; ++i) {
    operation.operands[i] = default_value(*operands.items[i]);
  }
  return operation;
}

}  // namespace

Placed Placed::in(Slot which) const {
  const Instruction& row = instruction(operation.op);
  if (!slot_accepts(which, row.group)) {
    throw BuildError{fmt::format("slot {} does not take `{}`",
                                 slot_layouts[static_cast<std::size_t>(which)].name, row.mnemonic)};
  }
  Placed result = *this;
  result.slot = which;
  return result;
}

Operation make_operation(Op op, std::span<const OperandValue> operands) {
  const Instruction& row = instruction(op);
  if (operands.size() > row.operands.count) {
    throw BuildError{fmt::format("`{}` has {} operands", row.mnemonic, row.operands.count)};
  }
  Operation operation = with_defaults(op);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    check_fits(row, i, operands[i]);
    operation.operands[i] = operands[i];
  }
  return operation;
}

Slot first_slot(Group group) {
  std::size_t slot = 0;
  while (!slot_accepts(static_cast<Slot>(slot), group)) ++slot;
  return static_cast<Slot>(slot);
}

Placed detail::finish(Op op, std::span<const std::size_t> places,
                      std::span<const Argument> arguments) {
  const Instruction& row = instruction(op);
  Placed result{with_defaults(op)};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    check_fits(row, places[i], arguments[i].value);
    result.operation.operands[places[i]] = arguments[i].value;
    if (arguments[i].symbol.symbol == no_symbol) continue;
    if (relocatable_operand(row) != places[i]) {
      throw BuildError{fmt::format("`{}` of `{}` takes no symbol",
                                   row.operands.items[places[i]]->name, row.mnemonic)};
    }
    result.symbol = arguments[i].symbol;
  }
  return result;
}

}  // namespace tandem::builder
