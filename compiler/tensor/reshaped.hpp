// Tensors in another shape.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

// The same elements in the same order. The types have as many elements of the same type.
mlir::Value reshaped(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value tensor,
                     mlir::RankedTensorType type);

}  // namespace tandem::compiler
