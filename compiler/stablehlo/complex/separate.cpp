#include "compiler/stablehlo/complex/separate.hpp"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::Value;

bool reduces(Operation* op) {
  static const llvm::StringSet<> names{"stablehlo.reduce", "stablehlo.reduce_window",
                                       "stablehlo.scatter"};
  return names.contains(op->getName().getStringRef());
}

// Whether a value depends on a block argument with an even number, or with an odd one.
bool depends_on(Value value, mlir::Block& body, bool odd, llvm::DenseSet<Operation*>& seen) {
  if (value.getParentBlock() != &body) return false;
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    return (argument.getArgNumber() % 2 == 1) == odd;
  }
  Operation* op = value.getDefiningOp();
  if (!seen.insert(op).second) return false;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return depends_on(operand, body, odd, seen); });
}

bool never_meet(mlir::Block& body) {
  Operation& end = body.back();
  if (end.getNumOperands() != 2) return false;
  for (const bool odd : {false, true}) {
    llvm::DenseSet<Operation*> seen;
    if (depends_on(end.getOperand(odd ? 1 : 0), body, !odd, seen)) return false;
  }
  return true;
}

// Keeps only what one part needs.
void keep_part(mlir::Block& body, bool odd) {
  Operation& end = body.back();
  end.eraseOperand(odd ? 0 : 1);
  for (Operation& op : llvm::make_early_inc_range(llvm::reverse(body))) {
    if (&op != &end && op.use_empty()) op.erase();
  }
  for (unsigned i = body.getNumArguments(); i-- > 0;) {
    if ((i % 2 == 1) != odd) body.eraseArgument(i);
  }
}

// Operands are pairs of parts, with a scatter's indices between them.
Value part(Operation* op, bool odd) {
  const bool scatters = op->getName().getStringRef() == "stablehlo.scatter";
  mlir::OperationState state(op->getLoc(), op->getName().getStringRef());
  state.addAttributes(op->getAttrs());
  state.addOperands(op->getOperand(odd ? 1 : 0));
  if (scatters) state.addOperands(op->getOperand(2));
  state.addOperands(op->getOperand((scatters ? 3 : 2) + (odd ? 1 : 0)));
  state.addTypes(op->getResult(0).getType());
  mlir::Region* region = state.addRegion();
  mlir::IRMapping map;
  op->getRegion(0).cloneInto(region, map);
  keep_part(region->front(), odd);
  return mlir::OpBuilder(op).create(state)->getResult(0);
}

}  // namespace

llvm::SmallVector<Value> separated(Operation* op) {
  if (!reduces(op) || op->getNumResults() != 2 || !never_meet(op->getRegion(0).front())) {
    return {op->result_begin(), op->result_end()};
  }
  const llvm::SmallVector<Value> parts{part(op, false), part(op, true)};
  op->erase();
  return parts;
}

}  // namespace tandem::compiler
