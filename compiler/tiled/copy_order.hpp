// In which order copies between buffers may be done.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// Whether the two copies may change places: neither writes what the other one reads or writes.
// Buffers count whole.
bool may_swap(mlir::memref::CopyOp one, mlir::memref::CopyOp other);

// Whether the copy may be done after `last`, an operation after it in the same block, as far as the
// copies from it to `last` tell.
bool may_move_after(mlir::memref::CopyOp copy, mlir::Operation* last);

}  // namespace tandem::compiler
