// Reductions and their like that carry real and imaginary parts.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// The operation's results: real and imaginary part alternately for a complex value. A reduction of
// one complex tensor whose parts are independent in its region is replaced by one for each part.
llvm::SmallVector<mlir::Value> separated(mlir::Operation* op);

}  // namespace tandem::compiler
