#include "compiler/views/residence.hpp"

#include "compiler/views/access.hpp"

namespace tandem::compiler {
namespace {

// The dimensions without the innermost ones of size one.
llvm::ArrayRef<std::int64_t> significant(mlir::MemRefType type) {
  llvm::ArrayRef<std::int64_t> shape = type.getShape();
  while (!shape.empty() && shape.back() == 1) shape = shape.drop_back();
  return shape;
}

std::int64_t pitch(std::int64_t columns, std::int64_t lanes) {
  const std::int64_t rows = (columns + lanes - 1) / lanes;
  return (rows == 1 ? 1 : rows | 1) * lanes;
}

}  // namespace

mlir::MemRefType in_vmem(mlir::MemRefType type) {
  return mlir::MemRefType::get(type.getShape(), type.getElementType(), type.getLayout(),
                               mlir::StringAttr::get(type.getContext(), "vmem"));
}

mlir::MemRefType pitched_type(mlir::MemRefType type, std::int64_t lanes) {
  const auto shape = significant(type);
  if (shape.empty() || product(shape.drop_back()) == 1) return in_vmem(type);
  Sizes strides = dense_strides(shape.drop_back(), pitch(shape.back(), lanes));
  strides.resize(type.getRank(), 1);
  return in_vmem(
      mlir::MemRefType::get(type.getShape(), type.getElementType(),
                            mlir::StridedLayoutAttr::get(type.getContext(), 0, strides)));
}

std::int64_t pitched_words(mlir::MemRefType type, std::int64_t lanes) {
  const auto shape = significant(type);
  return shape.empty() ? 1 : product(shape.drop_back()) * pitch(shape.back(), lanes);
}

bool wastes_pitched(mlir::MemRefType type, std::int64_t lanes) {
  return pitched_words(type, lanes) > 4 * type.getNumElements() + 64 * lanes;
}

std::int64_t vmem_words_of(mlir::MemRefType type, std::int64_t lanes) {
  const std::int64_t words =
      wastes_pitched(type, lanes) ? type.getNumElements() : pitched_words(type, lanes);
  const std::int64_t vector = sublanes * lanes;
  return (words + vector - 1) / vector * vector;
}

}  // namespace tandem::compiler
