// Keys of a sort (comparator.hpp) as tensors, and the recovery of operands from keys.
#pragma once

#include "compiler/tensor/sorting/comparator.hpp"

namespace tandem::compiler {

// The values that the comparator compares for each element, computed once: one tensor per key.
Values key_tensors(Lowering& lowering, mlir::Location loc, Comparator& comparator,
                   const Values& inputs);
// The real of which these bits, an integer, are the order.
mlir::Value real_of_order(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value bits,
                          mlir::Type type);
// Whether the operand numbers the sorted elements.
bool counts_elements(mlir::Value operand, unsigned dimension);

}  // namespace tandem::compiler
