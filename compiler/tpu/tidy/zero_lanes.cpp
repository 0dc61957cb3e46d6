#include "compiler/tpu/tidy/zero_lanes.hpp"

#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/same_instruction.hpp"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::Value;

bool is_zero(Value value) {
  Operation* made = value.getDefiningOp();
  if (made != nullptr && is_named(made, "vmov")) value = made->getOperand(0);
  return mlir::getConstantIntValue(value) == 0;
}

// Sums, differences and products of +0 are +0.
bool keeps_zero(Operation* op) {
  static const llvm::StringSet<> names{"vadd.f32", "vsub.f32", "vmul.f32",
                                       "vadd.s32", "vsub.s32", "vmul.s32"};
  const Instruction* row = instruction_of(op);
  return row != nullptr && names.contains(row->mnemonic);
}

constexpr int most_steps = 4;

bool is_zero_where_off(Value x, Value mask, int steps = most_steps) {
  Operation* made = x.getDefiningOp();
  if (is_zero(x)) return true;
  if (made == nullptr || steps == 0) return false;
  if (is_named(made, "vsel")) {
    return !made->hasAttr("not_ma") && are_equal(made->getOperand(0), mask) &&
           is_zero(made->getOperand(2));
  }
  if (is_named(made, "vld")) {
    const unsigned before = made->hasAttr("absolute") ? 0 : 1;
    return !made->hasAttr("not_mask") && made->getNumOperands() > before &&
           are_equal(made->getOperand(before), mask);
  }
  return keeps_zero(made) && llvm::all_of(made->getOperands(), [&](Value operand) {
           return is_zero_where_off(operand, mask, steps - 1);
         });
}

}  // namespace

void drop_zero_selections(Operation* function) {
  llvm::SmallVector<Operation*> all;
  function->walk([&](Operation* op) {
    if (is_named(op, "vsel") && !op->hasAttr("not_ma") && is_zero(op->getOperand(2))) {
      all.push_back(op);
    }
  });
  for (Operation* select : all) {
    const Value chosen = select->getOperand(1);
    const bool is_vector = chosen.getType() == select->getResult(0).getType();  // or a scalar
    if (!is_vector || !is_zero_where_off(chosen, select->getOperand(0))) continue;
    select->getResult(0).replaceAllUsesWith(chosen);
    select->erase();
  }
}

}  // namespace tandem::compiler
