// Comparisons, conversions and constants of single elements.
#pragma once

#include "mlir/IR/Builders.h"

namespace tandem::compiler {

// All return null after an error at the operation.
mlir::Value scalar_compare(mlir::OpBuilder& builder, mlir::Operation* op,
                           mlir::ValueRange operands);
mlir::Value scalar_convert(mlir::OpBuilder& builder, mlir::Operation* op, mlir::Value value);
// reduce_precision: rounded to fewer bits of exponent and mantissa, in the same type.
mlir::Value scalar_rounding(mlir::OpBuilder& builder, mlir::Operation* op, mlir::Value value);
mlir::Value scalar_bitcast(mlir::OpBuilder& builder, mlir::Operation* op, mlir::Value value);
mlir::Value scalar_constant(mlir::OpBuilder& builder, mlir::Operation* op);

}  // namespace tandem::compiler
