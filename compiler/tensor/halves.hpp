// Steps of the pass that keeps bf16 packed (keep_bf16_packed.cpp).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

// A tensor with half as long rows, of the same elements or other ones.
mlir::RankedTensorType half_type(mlir::Type type, mlir::Type element = {});

// The bf16 in a half of a word, 0 the low one, and the word of two.
mlir::Value half_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value word, int half);
mlir::Value word_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value low,
                    mlir::Value high);

// Drops copies of packed arguments that nobody reads any more.
void drop_unread(mlir::func::FuncOp function);

}  // namespace tandem::compiler
