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
  Sizes strides;    // one an operand
  int source = -1;  // the loop of the operation, before anything is merged
};

// The inputs from which a kernel is made.
struct Kernel {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<Access> operands;  // inputs, then outputs
  llvm::SmallVector<Loop> loops;       // parallel ones first, outermost first
  unsigned inputs = 0;
  bool reads_output = false;  // the body looks at what the outputs held

  [[nodiscard]] bool reduces() const { return !loops.empty() && loops.back().reduces; }
};

mlir::FailureOr<Kernel> kernel_of(mlir::linalg::LinalgOp op);
// Merges the innermost loop too, which `kernel_of` keeps for the row layout where an operand is in
// VMEM: what is dense there is one row for the general path.
void merge_rows(Kernel& kernel);

// Replaces the operation by loops, copies and operations on VMEM.
mlir::LogicalResult tile(mlir::linalg::LinalgOp op, const Parameters& machine);

// Whether the operation is a product of two operands, with the attribute `tandem.precision` and
// types that the matrix unit takes. A vector's product with itself has only one operand.
bool is_for_contraction(const Kernel& kernel);

// The matrix unit's way. Does nothing and returns false when the operation is not for it.
bool tile_contraction(Kernel& kernel, const Parameters& machine);

// The row layout (tiled/rows.cpp), where it helps: sums along the innermost loop, and operands of
// one value a row. Does nothing and returns false otherwise.
bool tile_in_rows(Kernel& kernel, const Parameters& machine);

// Packing and unpacking of bf16 (tiled/expand_packed.cpp), the operations with the attributes
// `tandem.pack` and `tandem.unpack`.
mlir::LogicalResult tile_repack(mlir::linalg::LinalgOp op, const Parameters& machine);

// Whether the row layout adds up the innermost loop in one go.
bool sums_rows_at_once(Kernel& kernel, const Parameters& machine);

// Marks contractions and sums whose output has just been filled with what they start from, and
// removes the filling.
void fold_fills(mlir::Operation* function, const Parameters& machine);

// Copies of scattered words go over VMEM, where their lanes change places in registers.
void stage_moves(mlir::Operation* function, const Parameters& machine);

// Runs over one dimension in steps: a loop over the whole steps, then what is left. The body gets
// the first index and how many there are. `unrolls`: each step is written out.
using Step = llvm::function_ref<void(mlir::OpBuilder&, mlir::OpFoldResult, std::int64_t)>;
void in_steps(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t size, std::int64_t step,
              Step body, bool unrolls = false);

}  // namespace tandem::compiler
