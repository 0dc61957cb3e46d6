// Common code of gather, scatter and slices whose positions are known only at run time.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"
#include "mlir/IR/OpDefinition.h"

namespace tandem::compiler {

using Places = llvm::SmallVector<mlir::OpFoldResult>;

Places places(mlir::OpBuilder& builder, llvm::ArrayRef<std::int64_t> values);
bool has_no_sign(mlir::Value value);
// As a signed word. Values that do not fit are beyond the end of every tensor, like the largest
// word.
mlir::Value as_index(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value number,
                     bool is_unsigned);
// An index of at most 32 bits as a signed word, clamped to this many positions.
mlir::Value nearest_place(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value index,
                          std::int64_t places, bool is_unsigned);
// A start index moved so that `size` elements fit into `extent`.
mlir::OpFoldResult clamped(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value start,
                           std::int64_t extent, std::int64_t size);

// Common code of gather and scatter: loops over index vectors, and windows of one tensor.
struct Windows {
  llvm::SmallVector<std::int64_t>
      batch;            // sizes of the loops: the dimensions of the indices except the vector's
  std::int64_t vector;  // index_vector_dim
  llvm::SmallVector<std::int64_t>
      index_map;  // component of the index vector -> dimension of the operand
  llvm::SmallVector<std::int64_t> operand_batch;  // dimensions of the operand ...
  llvm::SmallVector<std::int64_t>
      indices_batch;  // ... that run along with these dimensions of the indices
  llvm::SmallVector<std::int64_t> window;    // sizes of a window, one per dimension of the operand
  llvm::SmallVector<std::int64_t> inserted;  // dimensions of the operand that are not in a window
  llvm::SmallVector<std::int64_t>
      offset_dims;  // dimensions of updates or result that run over a window
};

mlir::FailureOr<Windows> windows_of(mlir::Operation* op, bool gathers);
// The start in the operand of this iteration's window, before clamping.
Values window_starts(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value indices,
                     const Windows& windows, mlir::ValueRange loops, bool unsigned_indices);
// The part of the updates or of the result for this iteration: loop indices at dimensions that are
// no offsets, whole windows at those that are.
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
