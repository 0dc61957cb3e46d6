// The tensor into which bufferization may write the result of an operation.
#pragma once

#include "mlir/IR/Value.h"

namespace tandem::compiler {

// The operand that the operation overwrites for this result, or that the result is a view of; null
// where there is none.
mlir::Value tied_tensor(mlir::OpResult result);

}  // namespace tandem::compiler
