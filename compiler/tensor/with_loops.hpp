// Clones an operation, in other loops.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// The operation with other operands (those that it writes last), maps and kinds of loops, and the
// body and attributes that it has. Its results have the types of the operands that it writes.
mlir::linalg::GenericOp with_loops(mlir::OpBuilder& builder, mlir::linalg::GenericOp op,
                                   llvm::ArrayRef<mlir::Value> operands,
                                   llvm::ArrayRef<mlir::AffineMap> maps,
                                   llvm::ArrayRef<mlir::utils::IteratorType> kinds);

}  // namespace tandem::compiler
