#include "compiler/tensor/with_loops.hpp"

#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {

using mlir::Value;
using mlir::linalg::GenericOp;

GenericOp with_loops(mlir::OpBuilder& builder, GenericOp op, llvm::ArrayRef<Value> operands,
                     llvm::ArrayRef<mlir::AffineMap> maps,
                     llvm::ArrayRef<mlir::utils::IteratorType> kinds) {
  const auto inputs = static_cast<std::size_t>(op.getNumDpsInputs());
  const mlir::ValueRange inits = operands.drop_front(inputs);
  auto result = GenericOp::create(builder, op.getLoc(), inits.getTypes(),
                                  operands.take_front(inputs), inits, maps, kinds);
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  mlir::IRMapping mapping;
  op.getRegion().cloneInto(&result.getRegion(), mapping);
  return result;
}

}  // namespace tandem::compiler
