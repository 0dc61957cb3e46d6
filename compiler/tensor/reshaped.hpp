// Tensors in another shape.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

// The same elements in the same order. The types have as many elements of the same type.
mlir::Value reshaped(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value tensor,
                     mlir::RankedTensorType type);
// What the operation reshapes; null for operations that are no reshapes, and for null.
mlir::Value source_of_reshape(mlir::Operation* op);

}  // namespace tandem::compiler
