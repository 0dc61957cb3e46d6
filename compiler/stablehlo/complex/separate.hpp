// Reductions and their like that carry real and imaginary parts.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// The operation's results, real and imaginary part in turn where they are of a complex value. A
// reduction of one complex tensor whose parts never meet in its region is replaced by one for each.
llvm::SmallVector<mlir::Value> separated(mlir::Operation* op);

}  // namespace tandem::compiler
