// How precise the products of a contraction have to be.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// "DEFAULT" (one pass of the matrix unit), "HIGH" (three) or "HIGHEST" (six): the stricter of what
// the operands ask for, or what the dot algorithm asks for. An error where an algorithm asks for
// what there is not.
mlir::FailureOr<llvm::StringRef> precision_of(mlir::Operation* op);

}  // namespace tandem::compiler
