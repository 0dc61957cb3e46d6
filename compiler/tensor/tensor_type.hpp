#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace tandem::compiler {

// The type of a value that is a tensor of known rank.
inline mlir::RankedTensorType tensor_type_of(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

}  // namespace tandem::compiler
