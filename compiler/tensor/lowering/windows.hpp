// What gather, scatter and slices whose places are known only at run time have in common.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"
#include "mlir/IR/OpDefinition.h"

namespace tandem::compiler {

using Places = llvm::SmallVector<mlir::OpFoldResult>;

Places places(mlir::OpBuilder& builder, llvm::ArrayRef<std::int64_t> values);
bool has_no_sign(mlir::Value value);
// As a word with a sign. What no such word holds is beyond the end of every tensor, and so is the
// largest one.
mlir::Value as_index(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value number,
                     bool is_unsigned);
// An index of at most 32 bits as a word with a sign, moved to the nearest place of so many.
mlir::Value nearest_place(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value index,
                          std::int64_t places, bool is_unsigned);
// A start index moved so that `size` elements fit into `extent`.
mlir::OpFoldResult clamped(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value start,
                           std::int64_t extent, std::int64_t size);

// What gather and scatter have in common: loops over index vectors, and windows of one tensor.
struct Windows {
  llvm::SmallVector<std::int64_t>
      batch;            // sizes of the loops: the dimensions of the indices but the vector's
  std::int64_t vector;  // index_vector_dim
  llvm::SmallVector<std::int64_t>
      index_map;  // component of the index vector -> dimension of the operand
  llvm::SmallVector<std::int64_t> operand_batch;  // dimensions of the operand ...
  llvm::SmallVector<std::int64_t>
      indices_batch;  // ... that run along with these dimensions of the indices
  llvm::SmallVector<std::int64_t> window;  // sizes of a window, one a dimension of the operand
  llvm::SmallVector<std::int64_t>
      inserted;  // dimensions of the operand that a window does not show
  llvm::SmallVector<std::int64_t>
      offset_dims;  // dimensions of updates or result that run over a window
};

mlir::FailureOr<Windows> windows_of(mlir::Operation* op, bool gathers);
// Where in the operand the window of this turn begins, before clamping.
Values window_starts(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value indices,
                     const Windows& windows, mlir::ValueRange loops, bool unsigned_indices);
// The part of the updates or of the result that belongs to this turn: loops at the dimensions that
// are no offsets, whole windows at those that are.
void outer_slice(mlir::OpBuilder& builder, const Windows& windows, std::int64_t rank,
                 mlir::ValueRange loops, llvm::ArrayRef<std::int64_t> visible, Places& offsets,
                 Places& sizes);
llvm::SmallVector<std::int64_t> visible_sizes(const Windows& windows);
// Whether a window fits at these starts, and the starts clamped.
mlir::Value fits_inside(mlir::OpBuilder& builder, mlir::Location loc, const Values& begin,
                        mlir::RankedTensorType type, llvm::ArrayRef<std::int64_t> window,
                        Places& clamped_starts);

using Turn = llvm::function_ref<Values(mlir::OpBuilder&, mlir::ValueRange, mlir::ValueRange)>;
// Nested loops over the index vectors that carry tensors.
Values for_each_index(mlir::OpBuilder& builder, mlir::Location loc, const Windows& windows,
                      mlir::RankedTensorType indices, mlir::ValueRange initial, Turn turn);

}  // namespace tandem::compiler
