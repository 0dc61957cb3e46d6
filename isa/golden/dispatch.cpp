#include "isa/golden/semantics.hpp"

namespace tandem::golden {
namespace {

// By Op. An operation without a function does not link.
constexpr Execute functions[] = {
#define INSTRUCTION(name, ...) execute::name,
#include "isa/instructions.def"
#undef INSTRUCTION
};

Check control_check(Control control) {
  switch (control) {
    case Control::branch:
    case Control::call: return check::branch;
    case Control::jump:
    case Control::ret: return check::jump;
    case Control::halt: return check::halt;
    case Control::trap: return check::trap;
    case Control::none:
    case Control::idle:
    case Control::marker:
    case Control::unknown: return nullptr;
  }
  return nullptr;
}

Check flag_check(FlagUse flag) {
  switch (flag) {
    case FlagUse::none: return nullptr;
    case FlagUse::copy: return check::copy;
    case FlagUse::wait: return check::wait;
    case FlagUse::add:
    case FlagUse::set: return check::flag;
  }
  return nullptr;
}

Check memory_check(const MemoryUse& use) {
  if (use.space == LocalMemory::none) return nullptr;
  if (use.space == LocalMemory::smem) return check::smem;
  if (use.in_words) return check::column;
  return use.extent_known ? check::rows : check::indexed;
}

// Of the matrix unit's operands.
Check matrix_check(Op op) {
  for (const Operand* operand : instruction(op).operands) {
    if (operand->kind == OperandKind::accumulator) return check::accumulator;
    if (operand->kind == OperandKind::weight_row) return check::weight_row;
  }
  return nullptr;
}

}  // namespace

Execute semantic_function(Op op) { return functions[static_cast<std::size_t>(op)]; }

Check check_function(const Operation& operation) {
  const Effects effects = effects_of(operation);
  if (const Check check = control_check(effects.control)) return check;
  if (const Check check = flag_check(effects.flag)) return check;
  if (const Check check = memory_check(effects.memory)) return check;
  return matrix_check(operation.op);
}

bool only_checks(Op op) {
  const Control control = effects_of(Operation{op}).control;
  const bool writes = control == Control::call;
  return (control != Control::none && !writes) || instruction(op).latency == Latency::wait;
}

}  // namespace tandem::golden
