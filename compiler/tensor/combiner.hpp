// What a reduction combines its elements with.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// The operation of a reduction with one output that takes what has been reduced so far, which
// nothing else takes, and is the result; null where the body is something else.
mlir::Operation* combiner_of(mlir::linalg::GenericOp op);

}  // namespace tandem::compiler
