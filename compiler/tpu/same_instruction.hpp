// When two instructions of the machine give the same.
#pragma once

#include "llvm/ADT/DenseMapInfo.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// Reads and writes nothing but registers, and always gives the same.
bool only_computes(mlir::Operation* op);

// As a key: equal are the same instruction with the same operands and attributes. Operations that
// come from a table at run time are never equal for MLIR.
struct SameInstruction : llvm::DenseMapInfo<mlir::Operation*> {
  static unsigned getHashValue(const mlir::Operation* key);
  static bool isEqual(const mlir::Operation* left, const mlir::Operation* right);
};

// One value, or two of equal instructions that only compute: masks are made again rather than kept.
bool are_equal(mlir::Value a, mlir::Value b);

}  // namespace tandem::compiler
