#include "cosim/coverage/unreachable.hpp"

#include <algorithm>

#include "isa/analysis/effects.hpp"

namespace tandem {
namespace {

template <typename Test>
bool any_operation(Slot slot, Test test) {
  return std::any_of(instructions.begin(), instructions.end(), [&](const Instruction& row) {
    return slot_accepts(slot, row.group) && test(row);
  });
}

template <typename Test>
bool any_operand(Slot slot, Test test) {
  return any_operation(slot, [&](const Instruction& row) {
    return std::any_of(row.operands.begin(), row.operands.end(),
                       [&](const Operand* operand) { return test(*operand); });
  });
}

bool reads(const Operand& operand, RegisterFile file) {
  switch (operand.kind) {
    case OperandKind::vsource: return file == RegisterFile::v || file == RegisterFile::s;
    case OperandKind::part: return file == RegisterFile::v;
    case OperandKind::scalar_imm:
    case OperandKind::flag: return file == RegisterFile::s;
    case OperandKind::mask: return file == RegisterFile::m;
    default: break;
  }
  if (is_address(operand.kind)) return file == RegisterFile::s;
  return operand.access != Access::write && register_file(operand.kind) == file;
}

// The files whose registers a slot's operations read; for which a hazard is possible.
bool slot_reads(Slot slot, RegisterFile file) {
  return file == RegisterFile::p ||  // the predicate
         any_operand(slot, [file](const Operand& operand) { return reads(operand, file); });
}

// The files that results of a latency class go to.
bool class_writes(Latency latency, RegisterFile file) {
  return std::any_of(instructions.begin(), instructions.end(), [&](const Instruction& row) {
    return row.latency == latency &&
           std::any_of(row.operands.begin(), row.operands.end(), [&](const Operand* operand) {
             return is_destination(*operand) && register_file(operand->kind) == file;
           });
  });
}

std::string_view unreachable_conflict(Slot slot) {
  if (slot == Slot::sa)
    return "the second slot that writes a register is told, and sa is the first";
  return any_operand(slot, is_destination) ? "" : "no operation of the slot writes a register";
}

std::string_view unreachable_range(Slot slot) {
  const bool possible = any_operand(slot, [](const Operand& operand) {
    return is_address(operand.kind) || operand.kind == OperandKind::flag;
  });
  return possible ? "" : "no operation of the slot has an address";
}

}  // namespace

std::string_view unreachable_operand(const Instruction& row, const Operand& operand,
                                     std::uint32_t number) {
  if (row.op == Op::trap) return "a bundle that traps does nothing, so its operands do not count";
  constexpr std::uint32_t all_ones = 3;
  constexpr std::uint32_t negative = 5;
  if (row.op == Op::idle && operand.kind == OperandKind::scalar_imm &&
      (number == all_ones || number == negative)) {
    return "an idle of 2^31 cycles and more, unsigned, is longer than a run";
  }
  return "";
}

std::string_view unreachable_predicate(std::uint32_t number, bool negate, bool holds) {
  return number == 0 && holds == negate ? "p0 always holds and !p0 never does" : "";
}

std::string_view unreachable_hazard(Latency from, Slot slot) {
  for (const auto file : {RegisterFile::s, RegisterFile::p, RegisterFile::m, RegisterFile::v}) {
    if (class_writes(from, file) && slot_reads(slot, file)) return "";
  }
  return "the class writes no register of a file that the slot reads";
}

std::string_view unreachable_trap(TrapCause cause, Slot slot) {
  switch (cause) {
    case TrapCause::none:
    case TrapCause::machine_check: return "no trap of a slot";
    case TrapCause::illegal_encoding: return "";
    case TrapCause::write_conflict: return unreachable_conflict(slot);
    case TrapCause::address_range: return unreachable_range(slot);
    case TrapCause::jump_range:
      return slot == Slot::sa ? "" : "only slot sa says where the program goes on";
    case TrapCause::bad_descriptor:
      return any_operand(slot,
                         [](const Operand& item) { return item.kind == OperandKind::descriptor; })
                 ? ""
                 : "no operation of the slot has a descriptor";
    case TrapCause::deadlock:
      return any_operation(slot,
                           [](const Instruction& row) { return row.latency == Latency::wait; })
                 ? ""
                 : "no operation of the slot waits for a flag";
    case TrapCause::explicit_trap:
      return slot_accepts(slot, instruction(Op::trap).group) ? "" : "the slot has no trap";
  }
  __builtin_unreachable();
}

std::string_view unreachable_stall(StallCause cause) {
  if (cause == StallCause::issued) return "a cycle in which a bundle issues is not lost";
  return cause == StallCause::drain ? "nothing issues after the end" : "";
}

std::string_view unreachable_copies(const Instruction& row) {
  return row.op == Op::trap ? "a bundle that traps does not issue" : "";
}

}  // namespace tandem
