// The required precision of the products of a contraction.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// "DEFAULT" (one pass of the matrix unit), "HIGH" (three) or "HIGHEST" (six): the stricter of the
// operands' precisions, or that of the dot algorithm. An error where an algorithm is not supported.
mlir::FailureOr<llvm::StringRef> precision_of(mlir::Operation* op);

}  // namespace tandem::compiler
