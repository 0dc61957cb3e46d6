// One linalg operation on buffers in HBM as loops over tiles in VMEM.
//
// The general path for any rank, shape and linear map. The loops are sorted into parallel and
// reducing ones, and neighbours that are contiguous in every operand are merged. A tile is a box of
// the parallel loops, laid out flat in VMEM; copies bring each operand's part of the box in that
// very layout, whatever its strides (a broadcast is a stride of zero). So the computation sees flat
// arrays of equal length:
//
//   parallel only   out[t] = f(in[t], ...)
//   reducing        out[t] = f(in[r][t], ..., out[t]) for r in order
//
// An operand that does not change within a tile is loaded once as a scalar.
#pragma once

#include "compiler/views/access.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

struct Loop {
  std::int64_t size = 1;
  bool reduces = false;
  Sizes strides;    // one per operand
  int source = -1;  // the loop of the operation, before anything is merged
};

// The inputs from which a kernel is made.
struct Kernel {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<Access> operands;  // inputs, then outputs
  llvm::SmallVector<Loop> loops;       // parallel ones first, outermost first
  unsigned inputs = 0;
  bool reads_output = false;  // the body reads the former contents of the outputs

  [[nodiscard]] bool reduces() const { return !loops.empty() && loops.back().reduces; }
};

mlir::FailureOr<Kernel> kernel_of(mlir::linalg::LinalgOp op);
// Merges the innermost loop too, which `kernel_of` keeps for the row layout where an operand is in
// VMEM: dense dimensions there are one row for the general path.
void merge_rows(Kernel& kernel);

// Replaces the operation by loops, copies and operations on VMEM.
mlir::LogicalResult tile(mlir::linalg::LinalgOp op, const Parameters& machine);

// Whether the operation is a product of two operands, with the attribute `tandem.precision` and
// types that the matrix unit takes. A vector's product with itself has only one operand.
bool is_for_contraction(const Kernel& kernel);

// The form for the matrix unit. Does nothing and returns false when the operation is unsuitable.
bool tile_contraction(Kernel& kernel, const Parameters& machine);

// The row layout (tiled/rows.cpp), where it helps: sums along the innermost loop, and operands of
// one value per row. Does nothing and returns false otherwise.
bool tile_in_rows(Kernel& kernel, const Parameters& machine);

// Packing and unpacking of bf16 (tiled/expand_packed.cpp), the operations with the attributes
// `tandem.pack` and `tandem.unpack`.
mlir::LogicalResult tile_repack(mlir::linalg::LinalgOp op, const Parameters& machine);

// Whether the row layout sums the innermost loop in one pass.
bool sums_rows_at_once(Kernel& kernel, const Parameters& machine);

// Marks contractions and sums whose output has just been filled with their initial value, and
// removes the filling.
void fold_fills(mlir::Operation* function, const Parameters& machine);

// Copies of scattered words go through VMEM, with lanes permuted in registers.
void stage_moves(mlir::Operation* function, const Parameters& machine);

// Covers a dimension in steps: a loop over the whole steps, then the remainder. The body gets the
// first index and the number of elements. `unrolls`: each step is unrolled.
using Step = llvm::function_ref<void(mlir::OpBuilder&, mlir::OpFoldResult, std::int64_t)>;
void in_steps(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t size, std::int64_t step,
              Step body, bool unrolls = false);

}  // namespace tandem::compiler
