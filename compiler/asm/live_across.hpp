// The values that live across an operation.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// The values that exist before the operation and that something after it may need: later in its
// block, in the next iteration of a loop around it, or after the operations around it. Constants do
// not count.
llvm::SetVector<mlir::Value> live_across(mlir::Operation* op);

}  // namespace tandem::compiler
