// Calls of kernels that exchange something with other devices (tensor/lowering/exchange/).
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

// The kernel that it calls, if that is an exchange; else null.
mlir::func::FuncOp exchange_of(mlir::func::CallOp call);

// Whether several of them use the memory of the view: parts of it arrive and leave while the
// program computes (tensor/lowering/exchange/step.cpp).
bool comes_in_steps(mlir::Value view);

}  // namespace tandem::compiler
