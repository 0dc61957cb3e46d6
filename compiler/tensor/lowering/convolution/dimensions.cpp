#include "compiler/tensor/lowering/convolution/convolution.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler::convolution {

namespace tensor = mlir::tensor;

std::int64_t product(llvm::ArrayRef<std::int64_t> extents) {
  std::int64_t result = 1;
  for (const std::int64_t extent : extents) result *= extent;
  return result;
}

std::int64_t divided(std::int64_t value, std::int64_t by) {
  return llvm::divideCeilSigned(value, by);
}

List place(std::int64_t number, llvm::ArrayRef<std::int64_t> extents) {
  List result(extents.size(), 0);
  for (std::size_t i = extents.size(); i > 0; --i) {
    result[i - 1] = number % extents[i - 1];
    number /= extents[i - 1];
  }
  return result;
}

mlir::Value joined(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                   llvm::ArrayRef<std::int64_t> counts) {
  llvm::SmallVector<mlir::ReassociationIndices> parts;
  List sizes;
  std::int64_t next = 0;
  for (const std::int64_t count : counts) {
    parts.emplace_back();
    sizes.push_back(1);
    for (std::int64_t i = 0; i < count; ++i) {
      sizes.back() *= tensor_type_of(value).getDimSize(next);
      parts.back().push_back(next++);
    }
  }
  if (static_cast<std::int64_t>(counts.size()) == tensor_type_of(value).getRank()) return value;
  const auto type = mlir::RankedTensorType::get(sizes, tensor_type_of(value).getElementType());
  return tensor::CollapseShapeOp::create(builder, loc, type, value, parts);
}

mlir::Value parted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value, std::int64_t at,
                   llvm::ArrayRef<std::int64_t> extents) {
  if (extents.size() == 1) return value;
  List sizes(tensor_type_of(value).getShape());
  sizes.erase(sizes.begin() + at);
  sizes.insert(sizes.begin() + at, extents.begin(), extents.end());
  llvm::SmallVector<mlir::ReassociationIndices> parts;
  for (std::int64_t i = 0, next = 0; i < tensor_type_of(value).getRank(); ++i) {
    parts.emplace_back();
    for (std::size_t j = 0; j < (i == at ? extents.size() : 1); ++j) parts.back().push_back(next++);
  }
  const auto type = mlir::RankedTensorType::get(sizes, tensor_type_of(value).getElementType());
  return tensor::ExpandShapeOp::create(builder, loc, type, value, parts);
}

mlir::Value moved(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                  llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<mlir::AffineExpr> from) {
  return parallel_generic(
      builder, loc, mlir::RankedTensorType::get(sizes, tensor_type_of(value).getElementType()),
      value, mlir::AffineMap::get(sizes.size(), 0, from, builder.getContext()),
      [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange elements) { return elements.front(); });
}

llvm::SmallVector<mlir::OpFoldResult> fixed(mlir::OpBuilder& builder,
                                            llvm::ArrayRef<std::int64_t> values) {
  return mlir::getAsIndexOpFoldResult(builder.getContext(), values);
}

mlir::Value extracted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                      llvm::ArrayRef<std::int64_t> at, llvm::ArrayRef<std::int64_t> sizes,
                      llvm::ArrayRef<std::int64_t> steps) {
  const List ones(sizes.size(), 1);
  return tensor::ExtractSliceOp::create(builder, loc, value, fixed(builder, at),
                                        fixed(builder, sizes),
                                        fixed(builder, steps.empty() ? ones : steps));
}

mlir::Value inserted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value part,
                     mlir::Value into, llvm::ArrayRef<std::int64_t> at,
                     llvm::ArrayRef<std::int64_t> sizes) {
  return tensor::InsertSliceOp::create(builder, loc, part, into, fixed(builder, at),
                                       fixed(builder, sizes),
                                       fixed(builder, List(sizes.size(), 1)));
}

mlir::Value shortened(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                      std::int64_t extent) {
  List sizes(tensor_type_of(value).getShape());
  if (sizes.back() == extent) return value;
  sizes.back() = extent;
  return extracted(builder, loc, value, List(sizes.size(), 0), sizes);
}

mlir::Type type_of_sums(const Convolution& convolution) {
  mlir::MLIRContext* const context = convolution.op->getContext();
  const mlir::Type element = tensor_type_of(convolution.op->getResult(0)).getElementType();
  if (mlir::isa<mlir::FloatType>(element)) return mlir::Float32Type::get(context);
  return mlir::IntegerType::get(context, 32);
}

}  // namespace tandem::compiler::convolution
