// Operations on tiles in VMEM as loops over vectors.
#pragma once

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// A linalg operation whose operands all lie in VMEM, flat and of equal length:
//   parallel           maps (t) -> (t)
//   one reducing loop  inputs (r, t) -> (r, t) or (t), outputs (r, t) -> (t)
mlir::LogicalResult lower_tile(mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                               mlir::linalg::LinalgOp op);

// The row layout of tiled/rows.cpp, with the attribute `tandem.rows`.
mlir::LogicalResult lower_rows(mlir::OpBuilder& builder, Memory& memory, const Parameters& machine,
                               mlir::linalg::LinalgOp op);

// A contraction with the attribute `tandem.precision`, in the layout of tiled/contraction.cpp.
mlir::LogicalResult lower_contraction(mlir::OpBuilder& builder, Memory& memory,
                                      const Parameters& machine, mlir::linalg::LinalgOp op);

}  // namespace tandem::compiler
