// Common code of contractions on the vector units, for both layouts of weights.
#pragma once

#include "compiler/tpu/contraction/tile.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"

namespace tandem::compiler {

class VectorProducts : protected TpuBuilder {
 public:
  // For operations of one precision.
  VectorProducts(mlir::OpBuilder& builder, const Parameters& machine,
                 llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

 protected:
  using Values = llvm::SmallVector<mlir::Value>;
  // A vector and the selected part of its words, "" for all of it.
  struct Source {
    mlir::Value vector;
    llvm::StringRef part;
  };
  using Sources = llvm::SmallVector<Source>;

  mlir::Value multiplied(const Source& a, const Source& b);
  // Elements ready to be multiplied: DEFAULT rounds all except bf16, two vectors at once.
  Sources rounded(const Values& vectors, const ContractionTile& tile);
  // The part of an operand's words that this half of the depth selects.
  static llvm::StringRef part(const ContractionTile& tile, std::int64_t half);
  // Writes the operation's sums to this address, or adds them to its contents. No mask: all lanes.
  void store_sums(mlir::linalg::LinalgOp op, VmemAddress place, mlir::Value mask, mlir::Value sums);

  const Parameters& machine_;
  llvm::ArrayRef<mlir::linalg::LinalgOp> ops_;

 private:
  bool rounds_;
};

}  // namespace tandem::compiler
