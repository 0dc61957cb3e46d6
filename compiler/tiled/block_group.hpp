// Operations on buffers that are executed together block by block: see cut_into_blocks.cpp.
#pragma once

#include "isa/parameters.hpp"
#include "llvm/ADT/MapVector.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler::blocks {

inline mlir::MemRefType type_of(mlir::Value buffer) {
  return mlir::cast<mlir::MemRefType>(buffer.getType());
}

// How a group uses a buffer.
struct Buffer {
  int dimension = -1;       // that is cut into blocks; -1: read as a whole
  bool read_first = false;  // before the group has written it
  bool written = false;
  bool is_private = false;  // a temporary of the group
};

class Group {
 public:
  // Whether the operation fits those before it; if so, it is added.
  bool add(mlir::linalg::LinalgOp op);
  [[nodiscard]] bool empty() const { return ops_.empty(); }
  [[nodiscard]] llvm::ArrayRef<mlir::linalg::LinalgOp> ops() const { return ops_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] const llvm::MapVector<mlir::Value, Buffer>& buffers() const { return buffers_; }
  [[nodiscard]] unsigned loop_of(mlir::linalg::LinalgOp op) const { return loops_.lookup(op); }
  void find_private();
  // Whether a buffer is an argument or a result of the program with no other users, and the group
  // only reads or only writes it.
  [[nodiscard]] bool is_alone_with(mlir::Value view) const;
  [[nodiscard]] bool contracts() const;
  // Whether the written buffer has another dimension that can be cut besides the innermost one.
  [[nodiscard]] bool has_inner_dimension() const;

 private:
  bool find_loop(mlir::linalg::LinalgOp op, unsigned& loop) const;

  std::int64_t size_ = 0;  // of the dimension that is cut
  llvm::SmallVector<mlir::linalg::LinalgOp> ops_;
  llvm::DenseMap<mlir::Operation*, unsigned> loops_;
  llvm::MapVector<mlir::Value, Buffer> buffers_;
};

// The replacement for a buffer.
using Rooms = llvm::DenseMap<mlir::Value, mlir::Value>;

// The part of a buffer that begins at `start` of the dimension and is `step` long.
mlir::Value block_view(mlir::OpBuilder& builder, mlir::Value buffer, int dimension,
                       mlir::OpFoldResult start, std::int64_t step);
// The type with another size of the dimension, -1: as it is; without a layout.
mlir::MemRefType with_size(mlir::MemRefType type, int dimension, std::int64_t size);
// The operation with replaced operands, on the block that begins at `start` of its loop.
mlir::Operation* clone_on_block(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op, unsigned loop,
                                mlir::IRMapping& map, mlir::Value start);
// The group's operations on the block of `step` that begins at `start`, with these buffers and new
// ones for temporaries.
void compute_block(mlir::OpBuilder& builder, const Group& group, Rooms rooms, mlir::Value start,
                   std::int64_t step);

}  // namespace tandem::compiler::blocks
