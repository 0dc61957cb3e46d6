// Large copies within VMEM by way of registers (compiler/moves/plan.hpp).
#pragma once

#include "compiler/moves/plan.hpp"
#include "compiler/tpu/memory.hpp"
#include "compiler/tpu/tiles.hpp"

namespace tandem::compiler {

// Does the copy in registers. False, and nothing has been made, where there is no plan for it.
bool move_in_registers(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine,
                       const Place& source, const Place& target,
                       llvm::ArrayRef<moves::Dimension> dimensions);

// Where rows of VMEM are, from the first row of a copy on: a number and what only the running
// program knows.
struct RowBase {
  std::int64_t fixed = 0;
  mlir::Value moved;            // null: nothing
  BufferId buffer = no_buffer;  // what lies there
};

// The base of a place, and the lane of its first word. Nothing where the program would have to
// find out the lane.
std::optional<std::pair<RowBase, std::int64_t>> row_base(mlir::OpBuilder& builder,
                                                         mlir::Location loc, const Place& place,
                                                         std::int64_t lanes);

// The address of `count` rows, each `apart` rows from the one before, `row` rows from the base.
VmemAddress row_address(mlir::OpBuilder& builder, mlir::Location loc, const RowBase& base,
                        std::int64_t row, std::int64_t apart, std::int64_t count);

// The turn of a matrix, for each index of the dimensions around it.
void emit_turn(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes,
               const RowBase& source, const RowBase& target, const moves::TurnPlan& plan);

// `body` for each index of the dimensions, with both bases moved.
using MovedBody = llvm::function_ref<void(const RowBase& source, const RowBase& target)>;
void for_each_row(mlir::OpBuilder& builder, mlir::Location loc, const RowBase& source,
                  const RowBase& target, llvm::ArrayRef<moves::RowDimension> dimensions,
                  MovedBody body);

}  // namespace tandem::compiler
