// Where a copy may start earlier in its block, and what has to move with it.
#pragma once

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// Of an operation in front of a copy that the copy does not need.
enum class Crossing : std::uint8_t {
  refused,  // nothing may start before it
  passed,   // the copy may cross it, and gains nothing by that
  gained,   // a start before it is better
  last,     // so is this one, and there is no need to look further
};

struct EarlyStart {
  mlir::memref::CopyOp copy;
  mlir::Operation* before = nullptr;
  llvm::SmallVector<mlir::Operation*> moves;  // free operations that the copy needs, last one first
};

// The earliest start that is gained by crossing what is in front of the copy; nothing where none
// is. What the copy needs comes with it where it is free (views/access.hpp), and is not crossed
// where it is not.
std::optional<EarlyStart> early_start(mlir::memref::CopyOp copy,
                                      llvm::function_ref<Crossing(mlir::Operation*)> crossing);
void move(const EarlyStart& start);

bool comes_from_hbm(mlir::memref::CopyOp copy);
bool goes_to_hbm(mlir::memref::CopyOp copy);

}  // namespace tandem::compiler
