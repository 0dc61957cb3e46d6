// Operations on rows that follow each other, and whether they can be cut into ranges of rows.
//
// They are one loop over the rows (tpu/rows/rows.cpp), in which values pass from one to the next in
// registers. So they are cut together: first all of them for the first range, then for the next.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// Iterations of the first loop.
std::int64_t rows_of(mlir::linalg::LinalgOp op);
// The operation and those on as many rows next to it, the first one first.
llvm::SmallVector<mlir::linalg::LinalgOp> together(mlir::linalg::LinalgOp op);
// Whether a range of the loop sees a part of each operand, and does not use the loop's index.
bool is_cut_by(mlir::linalg::LinalgOp op, unsigned loop);
// Whether each range of rows of all the operations needs only what the ranges before it leave.
bool are_cut_together(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

}  // namespace tandem::compiler
