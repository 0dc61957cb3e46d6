// When two instructions of the machine give the same result.
#pragma once

#include "llvm/ADT/DenseMapInfo.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// Reads and writes only registers, and always gives the same result.
bool only_computes(mlir::Operation* op);

// As a key: equal are the same instruction with the same operands and attributes. MLIR never treats
// operations that are registered from a table at run time as equal.
struct SameInstruction : llvm::DenseMapInfo<mlir::Operation*> {
  static unsigned getHashValue(const mlir::Operation* key);
  static bool isEqual(const mlir::Operation* left, const mlir::Operation* right);
};

// One value, or two of equal instructions that only compute: masks are recomputed rather than kept.
bool are_equal(mlir::Value a, mlir::Value b);

}  // namespace tandem::compiler
