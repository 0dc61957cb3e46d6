#include "compiler/tensor/combiner.hpp"

namespace tandem::compiler {

mlir::Operation* combiner_of(mlir::linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0) return nullptr;
  mlir::Operation* last = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  const mlir::Value before = op.getBody()->getArguments().back();
  if (last == nullptr || !before.hasOneUse() || !llvm::is_contained(last->getOperands(), before)) {
    return nullptr;
  }
  return last;
}

}  // namespace tandem::compiler
