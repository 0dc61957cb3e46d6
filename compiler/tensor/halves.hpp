// Steps of the pass that keeps bf16 packed (keep_bf16_packed.cpp).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

// A tensor with rows that are shorter by this factor, of the same elements or other ones.
mlir::RankedTensorType part_type(mlir::Type type, int parts, mlir::Type element = {});
inline mlir::RankedTensorType half_type(mlir::Type type, mlir::Type element = {}) {
  return part_type(type, 2, element);
}

// The bf16 in a half of a word, 0 the low one, the s8 in a quarter, and the word of two bf16.
mlir::Value half_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value word, int half);
mlir::Value byte_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value word, int quarter);
mlir::Value word_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value low,
                    mlir::Value high);

// Drops copies of packed arguments that are no longer read.
void drop_unread(mlir::func::FuncOp function);

}  // namespace tandem::compiler
