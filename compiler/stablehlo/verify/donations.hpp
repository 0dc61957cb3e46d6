// Which result takes the memory of which argument, by `tf.aliasing_output` of @main.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler::verify {

// Whether each aliased result has the argument's type, and belongs to no other argument.
mlir::LogicalResult verify_donations(mlir::func::FuncOp function);

}  // namespace tandem::compiler::verify
