// Where a copy may start earlier in its block, and the operations that move with it.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// Classifies an operation before a copy that the copy does not need.
enum class Crossing : std::uint8_t {
  refused,  // nothing may start before it
  passed,   // the copy may cross it, but gains nothing by that
  gained,   // a start before it is better
  last,     // the same, and the search may stop here
};

struct EarlyStart {
  mlir::memref::CopyOp copy;
  mlir::Operation* before = nullptr;
  llvm::SmallVector<mlir::Operation*> moves;  // free operations that the copy needs, last one first
};

// The earliest start that is a gain over the operations before the copy; nothing where there is
// none. Operations that the copy needs move with it where they are free (views/access.hpp), and are
// not crossed otherwise.
std::optional<EarlyStart> early_start(mlir::memref::CopyOp copy,
                                      llvm::function_ref<Crossing(mlir::Operation*)> crossing);
void move(const EarlyStart& start);

bool comes_from_hbm(mlir::memref::CopyOp copy);
bool goes_to_hbm(mlir::memref::CopyOp copy);

}  // namespace tandem::compiler
