// Large copies within VMEM through registers (compiler/moves/plan.hpp).
#pragma once

#include "compiler/moves/plan.hpp"
#include "compiler/tpu/memory.hpp"
#include "compiler/tpu/tiles.hpp"

namespace tandem::compiler {

// Does the copy in registers. Returns false, with nothing emitted, where there is no plan for it.
bool move_in_registers(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine,
                       const Place& source, const Place& target,
                       llvm::ArrayRef<moves::Dimension> dimensions);

// The row of a place, and the lane of its first word. What only the running program knows is in
// words, of which those that make no whole row are in the lane and the row already. Nothing where
// the lane is not known.
std::optional<std::pair<VmemRow, std::int64_t>> row_and_lane(const Place& place,
                                                             std::int64_t lanes);
// The same row with the run-time part in rows.
VmemRow in_rows(mlir::OpBuilder& builder, mlir::Location loc, VmemRow row, std::int64_t lanes);

// The address of `count` rows, spaced `apart` rows, `row` rows from the base one.
VmemAddress row_address(mlir::OpBuilder& builder, mlir::Location loc, const VmemRow& base,
                        std::int64_t row, std::int64_t apart, std::int64_t count);

// The transpose of a matrix, for each index of the dimensions around it.
void emit_turn(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes,
               const VmemRow& source, const VmemRow& target, const moves::TurnPlan& plan);

// `body` for each index of the dimensions, with both bases moved.
using MovedBody = llvm::function_ref<void(const VmemRow& source, const VmemRow& target)>;
void for_each_row(mlir::OpBuilder& builder, mlir::Location loc, const VmemRow& source,
                  const VmemRow& target, llvm::ArrayRef<moves::RowDimension> dimensions,
                  MovedBody body);

}  // namespace tandem::compiler
