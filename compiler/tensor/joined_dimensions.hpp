// The dimensions of tensors that could be merged, as all readers and writers process them together.
#pragma once

#include "isa/parameters.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

// The width of rows, of one to sixteen whole or nearly whole rows of VMEM, in which `elements`
// could be laid out: as close as possible to eight. 0: there is no such divisor.
std::int64_t filled_row(std::int64_t elements, const Parameters& machine);

class JoinedDimensions {
 public:
  JoinedDimensions(mlir::func::FuncOp function, const Parameters& machine);

  // An operation whose operands and results may have fewer dimensions.
  [[nodiscard]] static bool may_join(mlir::linalg::GenericOp op);

  // The dimensions of a tensor, merged ones in a group.
  [[nodiscard]] llvm::SmallVector<mlir::ReassociationIndices> groups(mlir::Value value) const;
  [[nodiscard]] bool is_joined(mlir::Value value) const;
  // The type with one dimension for each group.
  [[nodiscard]] mlir::RankedTensorType type(mlir::Value value) const;
  // From here on `twin` has the groups of `value`.
  void same_as(mlir::Value twin, mlir::Value value) { first_[twin] = first_.lookup(value); }

 private:
  void visit(mlir::Operation* op);
  void visit(mlir::linalg::GenericOp op);
  void visit_reshape(mlir::Value fine, mlir::Value coarse,
                     llvm::ArrayRef<mlir::ReassociationIndices> groups);
  void visit_edge(mlir::Value value, mlir::Value buffer);
  void bound(mlir::Value value);
  void keep_all(mlir::Value value);
  // Between dimension `at` of a tensor and the next one.
  [[nodiscard]] unsigned border(mlir::Value value, std::size_t at);
  [[nodiscard]] unsigned find(unsigned border) const;
  void join(unsigned a, unsigned b);
  // All borders of two tensors of one shape.
  void join_all(mlir::Value a, mlir::Value b);
  void keep(unsigned border) { kept_[find(border)] = true; }

  const Parameters& machine_;
  llvm::DenseMap<mlir::Value, unsigned> first_;  // the borders of each tensor
  llvm::SmallVector<unsigned> parent_;           // borders that must be kept or dropped together
  llvm::SmallVector<bool> kept_;
};

}  // namespace tandem::compiler
