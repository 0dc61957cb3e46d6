// What lives through an operation.
#pragma once

#include "llvm/ADT/SetVector.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// The values that are there before the operation and that something behind it may need: later in
// its block, in the next turn of a loop that it stands in, or behind what it stands in. Constants
// are no such values.
llvm::SetVector<mlir::Value> live_across(mlir::Operation* op);

}  // namespace tandem::compiler
