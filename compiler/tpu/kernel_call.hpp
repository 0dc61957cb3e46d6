// Calls of kernels that users wrote, from buffers to addresses.
#pragma once

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

// The call's buffers become word addresses in HBM, the last one, of VMEM, a row.
mlir::LogicalResult lower_kernel_call(mlir::OpBuilder& builder, Memory& memory,
                                      const Parameters& machine, mlir::func::CallOp call);

}  // namespace tandem::compiler
