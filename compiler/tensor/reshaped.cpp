#include "compiler/tensor/reshaped.hpp"

#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;

llvm::SmallVector<mlir::ReassociationIndices> all_in_one(std::int64_t rank) {
  llvm::SmallVector<mlir::ReassociationIndices> one;
  if (rank > 0) one.emplace_back(llvm::to_vector(llvm::seq<std::int64_t>(0, rank)));
  return one;
}

}  // namespace

mlir::Value reshaped(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value tensor,
                     mlir::RankedTensorType type) {
  const mlir::RankedTensorType from = tensor_type_of(tensor);
  if (from == type) return tensor;
  if (const auto groups = mlir::getReassociationIndicesForReshape(from, type)) {
    if (type.getRank() < from.getRank()) {
      return tensor::CollapseShapeOp::create(builder, loc, type, tensor, *groups);
    }
    return tensor::ExpandShapeOp::create(builder, loc, type, tensor, *groups);
  }
  const auto flat = mlir::RankedTensorType::get({type.getNumElements()}, type.getElementType());
  if (from.getRank() != 1) {
    tensor =
        tensor::CollapseShapeOp::create(builder, loc, flat, tensor, all_in_one(from.getRank()));
  }
  if (type.getRank() == 1) return tensor;
  return tensor::ExpandShapeOp::create(builder, loc, type, tensor, all_in_one(type.getRank()));
}

mlir::Value source_of_reshape(mlir::Operation* op) {
  if (auto expand = mlir::dyn_cast_or_null<tensor::ExpandShapeOp>(op)) return expand.getSrc();
  if (auto collapse = mlir::dyn_cast_or_null<tensor::CollapseShapeOp>(op)) return collapse.getSrc();
  return {};
}

}  // namespace tandem::compiler
