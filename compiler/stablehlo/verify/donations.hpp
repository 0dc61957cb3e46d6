// Which result takes the memory of which argument, as `tf.aliasing_output` of @main says.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler::verify {

// Whether each is a result of the argument's type, and of no other argument.
mlir::LogicalResult verify_donations(mlir::func::FuncOp function);

}  // namespace tandem::compiler::verify
