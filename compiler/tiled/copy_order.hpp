// The order in which copies between buffers may be done.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// Whether the two copies may change places: neither writes a buffer that the other one reads or
// writes. Buffers count as a whole.
bool may_swap(mlir::memref::CopyOp one, mlir::memref::CopyOp other);

// Whether the copy may be done after `last`, an operation after it in the same block, considering
// the copies from it to `last`.
bool may_move_after(mlir::memref::CopyOp copy, mlir::Operation* last);

}  // namespace tandem::compiler
