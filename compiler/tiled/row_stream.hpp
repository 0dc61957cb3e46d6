// Rows that arrive, are processed, and leave, in one loop from the first to the last.
//
// Blocks (cut_into_blocks.cpp) fill and drain the pipeline of their loop over rows once per block.
// Where all chunks of a row are unrolled there is no other loop, so the copies are in it: data
// arrives in one ring of buffers and leaves from another,
//
//   iteration t   block t + lead starts to arrive   block t is processed   block t - behind
//                 starts to leave
//
// and iterations overlap in the pipeline, as copies touch nothing that the last `behind` iterations
// work on.
#pragma once

#include <optional>

#include "compiler/tiled/block_group.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler::blocks {

class RowStream {
 public:
  // Nothing where an operation is not one on rows of few chunks, or rings do not fit.
  static std::optional<RowStream> find(const Group& group, const Parameters& machine);

  // Before the group's last operation.
  void emit(mlir::OpBuilder& builder);

 private:
  static constexpr std::int64_t lead = 4;
  static constexpr std::int64_t behind = 4;
  static constexpr std::int64_t rooms = 8;  // in a ring; the buffer that is filled was used
                                            // `behind` iterations ago
  static_assert(rooms >= lead + behind);

  explicit RowStream(const Group& group) : group_(&group) {}
  [[nodiscard]] static bool is_streamed(const Buffer& buffer) {
    return buffer.dimension >= 0 && !buffer.is_private;
  }
  llvm::SmallVector<mlir::memref::CopyOp> copies(mlir::OpBuilder& builder, mlir::OpFoldResult block,
                                                 bool in) const;
  // Those that iterations of the loop wait for.
  void start(mlir::OpBuilder& builder, mlir::OpFoldResult block, bool in) const;
  mlir::OpFoldResult room_of(mlir::OpBuilder& builder, mlir::OpFoldResult block) const;
  void compute(mlir::OpBuilder& builder, mlir::Value block);
  void turn(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value block);

  const Group* group_;
  std::int64_t step_ = 0;    // rows of a block
  std::int64_t blocks_ = 0;  // in all
  llvm::DenseMap<mlir::Value, mlir::Value> rings_;
  llvm::DenseMap<mlir::Value, mlir::Value> brought_;  // read by all blocks
};

}  // namespace tandem::compiler::blocks
