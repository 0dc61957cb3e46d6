#include "compiler/stablehlo/verify/order.hpp"

#include "mlir/IR/Block.h"

namespace tandem::compiler::verify {
namespace {

bool is_before(mlir::Value value, mlir::Operation* user) {
  mlir::Operation* at = value.getParentBlock()->findAncestorOpInBlock(*user);
  if (at == nullptr) return false;
  mlir::Operation* maker = value.getDefiningOp();
  return maker == nullptr || maker->isBeforeInBlock(at);
}

}  // namespace

mlir::LogicalResult verify_order(mlir::Operation* op) {
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    if (is_before(operand.get(), op)) continue;
    return op->emitError("operand #")
           << operand.getOperandNumber() << " does not dominate this use";
  }
  return mlir::success();
}

}  // namespace tandem::compiler::verify
