// What contractions on the vector units have in common, however their weights lie.
#pragma once

#include "compiler/tpu/contraction/tile.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"

namespace tandem::compiler {

class VectorProducts : protected TpuBuilder {
 public:
  // Of operations of one precision.
  VectorProducts(mlir::OpBuilder& builder, const Parameters& machine,
                 llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

 protected:
  using Values = llvm::SmallVector<mlir::Value>;
  // A vector and the part of its words that is meant, "" for all of it.
  struct Source {
    mlir::Value vector;
    llvm::StringRef part;
  };
  using Sources = llvm::SmallVector<Source>;

  mlir::Value multiplied(const Source& a, const Source& b);
  // Elements as they are multiplied: DEFAULT rounds what is not bf16, two vectors at once.
  Sources rounded(const Values& vectors, const ContractionTile& tile);
  // Which part of an operand's words is meant at this half of the depth.
  static llvm::StringRef part(const ContractionTile& tile, std::int64_t half);
  // The operation's sums to this place, or added to what is there. No mask: all lanes.
  void store_sums(mlir::linalg::LinalgOp op, VmemAddress place, mlir::Value mask, mlir::Value sums);

  const Parameters& machine_;
  llvm::ArrayRef<mlir::linalg::LinalgOp> ops_;

 private:
  bool rounds_;
};

}  // namespace tandem::compiler
