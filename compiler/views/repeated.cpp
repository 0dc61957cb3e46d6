#include "compiler/views/repeated.hpp"

#include "compiler/views/access.hpp"

namespace tandem::compiler {
namespace {

using mlir::MemRefType;
using mlir::memref::ReinterpretCastOp;

Sizes strides_of_type(MemRefType type) {
  Sizes strides;
  std::int64_t offset = 0;
  if (mlir::failed(type.getStridesAndOffset(strides, offset)) || offset != 0) return {};
  return strides;
}

MemRefType with_dimension(MemRefType source, unsigned at, std::int64_t count) {
  Sizes shape(source.getShape());
  Sizes strides = strides_of_type(source);
  shape.insert(shape.begin() + at, count);
  strides.insert(strides.begin() + at, 0);
  return MemRefType::get(shape, source.getElementType(),
                         mlir::StridedLayoutAttr::get(source.getContext(), 0, strides),
                         source.getMemorySpace());
}

}  // namespace

mlir::Value repeated_view(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                          MemRefType of, unsigned at, std::int64_t count) {
  const MemRefType type = with_dimension(of, at, count);
  return ReinterpretCastOp::create(builder, loc, type, buffer, 0, type.getShape(),
                                   strides_of_type(type));
}

std::optional<unsigned> repeated_dimension(mlir::Operation* view) {
  auto cast = mlir::dyn_cast<ReinterpretCastOp>(view);
  if (!cast) return std::nullopt;
  const auto source = mlir::dyn_cast<MemRefType>(cast.getSource().getType());
  const MemRefType type = cast.getType();
  if (!source || !type.hasStaticShape() || type.getRank() != source.getRank() + 1) {
    return std::nullopt;
  }
  // The source may have got a different layout in the meantime.
  const auto dense = MemRefType::get(source.getShape(), source.getElementType(),
                                     mlir::MemRefLayoutAttrInterface(), source.getMemorySpace());
  const Sizes strides = strides_of_type(type);
  for (unsigned at = 0; at < strides.size(); ++at) {
    if (strides[at] != 0) continue;
    const std::int64_t count = type.getDimSize(at);
    const auto is_of = [&](MemRefType of) {
      const MemRefType repeated = with_dimension(of, at, count);
      return repeated.getShape() == type.getShape() && strides_of_type(repeated) == strides;
    };
    if (is_of(source) || is_of(dense)) return at;
  }
  return std::nullopt;
}

MemRefType repeated_type(mlir::Operation* view, MemRefType source) {
  const unsigned at = *repeated_dimension(view);
  return with_dimension(source, at, mlir::cast<ReinterpretCastOp>(view).getType().getDimSize(at));
}

void set_repeated_type(mlir::Operation* view, MemRefType type) {
  auto cast = mlir::cast<ReinterpretCastOp>(view);
  cast.setStaticStrides(strides_of_type(type));
  cast.getResult().setType(type);
}

}  // namespace tandem::compiler
