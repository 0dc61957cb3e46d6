// The operation by which a reduction combines its elements.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// The operation of a reduction with one output that combines the accumulator, which has no other
// use, and gives the result; null for other bodies.
mlir::Operation* combiner_of(mlir::linalg::GenericOp op);

}  // namespace tandem::compiler
