// Keys of a sort (comparator.hpp) as tensors, and what is made of keys again.
#pragma once

#include "compiler/tensor/sorting/comparator.hpp"

namespace tandem::compiler {

// What the comparator compares of each element, made once: a tensor for each key.
Values key_tensors(Lowering& lowering, mlir::Location loc, Comparator& comparator,
                   const Values& inputs);
// The real of which these bits, an integer, are the order.
mlir::Value real_of_order(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value bits,
                          mlir::Type type);
// Whether the operand counts the elements that are sorted.
bool counts_elements(mlir::Value operand, unsigned dimension);

}  // namespace tandem::compiler
