// Convolution as a contraction: the window is linear in the loops, so no patches are ever built.
//
// Loops: batch, spatial, group, output feature | window, input feature. Groups become dimensions of
// their own first.
#include "compiler/tensor/handlers.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

using List = llvm::SmallVector<std::int64_t>;
using Expressions = llvm::SmallVector<mlir::AffineExpr>;

struct Window {
  List strides;
  List padding;  // low and high of each dimension
  List input_dilation;
  List dilation;
  llvm::SmallVector<bool> reversed;
};

struct Dimensions {
  std::int64_t batch = 0;
  std::int64_t feature = 0;
  List spatial;
  std::int64_t kernel_in = 0;
  std::int64_t kernel_out = 0;
  List kernel_spatial;
  std::int64_t result_batch = 0;
  std::int64_t result_feature = 0;
  List result_spatial;
};

mlir::RankedTensorType shaped(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

bool read_integers(mlir::Operation* op, llvm::StringRef name, List& into, std::size_t count,
                   std::int64_t otherwise) {
  const auto values = integers(op, name);
  if (mlir::failed(values)) return false;
  into = *values;
  if (into.empty()) into.assign(count, otherwise);
  return into.size() == count;
}

bool read_integer(mlir::Operation* op, llvm::StringRef name, std::int64_t& into) {
  const auto value = integer(op, name);
  if (mlir::succeeded(value)) into = *value;
  return mlir::succeeded(value);
}

bool read(mlir::Operation* op, Dimensions& d) {
  const std::size_t spatial = shaped(op->getOperand(0)).getRank() - 2;
  return read_integer(op, "input_batch_dimension", d.batch) &&
         read_integer(op, "input_feature_dimension", d.feature) &&
         read_integers(op, "input_spatial_dimensions", d.spatial, spatial, 0) &&
         read_integer(op, "kernel_input_feature_dimension", d.kernel_in) &&
         read_integer(op, "kernel_output_feature_dimension", d.kernel_out) &&
         read_integers(op, "kernel_spatial_dimensions", d.kernel_spatial, spatial, 0) &&
         read_integer(op, "output_batch_dimension", d.result_batch) &&
         read_integer(op, "output_feature_dimension", d.result_feature) &&
         read_integers(op, "output_spatial_dimensions", d.result_spatial, spatial, 0);
}

bool read(mlir::Operation* op, Window& window) {
  const std::size_t spatial = shaped(op->getOperand(0)).getRank() - 2;
  window.reversed.assign(spatial, false);
  if (const auto flags = op->getAttrOfType<mlir::DenseElementsAttr>("window_reversal");
      flags && flags.getNumElements() == static_cast<std::int64_t>(spatial)) {
    for (const auto [index, flag] : llvm::enumerate(flags.getValues<bool>())) {
      window.reversed[index] = flag;
    }
  }
  return read_integers(op, "window_strides", window.strides, spatial, 1) &&
         read_integers(op, "padding", window.padding, 2 * spatial, 0) &&
         read_integers(op, "lhs_dilation", window.input_dilation, spatial, 1) &&
         read_integers(op, "rhs_dilation", window.dilation, spatial, 1);
}

// Dimension `at` as two: `groups`, and what is in a group.
mlir::Value split(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value, std::int64_t at,
                  std::int64_t groups) {
  const mlir::RankedTensorType type = shaped(value);
  List sizes(type.getShape());
  sizes[at] /= groups;
  sizes.insert(sizes.begin() + at, groups);
  llvm::SmallVector<mlir::ReassociationIndices> parts;
  for (std::int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    parts.push_back({next++});
    if (i == at) parts.back().push_back(next++);
  }
  return mlir::tensor::ExpandShapeOp::create(
      builder, loc, mlir::RankedTensorType::get(sizes, type.getElementType()), value, parts);
}

mlir::Value merged(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value, std::int64_t at,
                   mlir::RankedTensorType type) {
  llvm::SmallVector<mlir::ReassociationIndices> parts;
  for (std::int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    parts.push_back({next++});
    if (i == at) parts.back().push_back(next++);
  }
  return mlir::tensor::CollapseShapeOp::create(builder, loc, type, value, parts);
}

// Expressions of a tensor whose dimension `split_at` (or none) has become two.
Expressions with_group(Expressions plain, std::int64_t split_at, mlir::AffineExpr group) {
  if (split_at >= 0) plain.insert(plain.begin() + split_at, group);
  return plain;
}

}  // namespace

mlir::FailureOr<Values> lower_convolution(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  Dimensions d;
  Window window;
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  if (shaped(op->getOperand(0)).getRank() < 2 || !read(op, d) || !read(op, window) ||
      !read_integer(op, "feature_group_count", feature_groups) ||
      !read_integer(op, "batch_group_count", batch_groups)) {
    return op->emitError("stablehlo.convolution with attributes that do not fit its operands");
  }
  const std::size_t spatial = d.spatial.size();
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  // No window fits, or there is nothing to multiply: no element, or zeros.
  if (type.getNumElements() == 0 || shaped(op->getOperand(0)).getNumElements() == 0 ||
      shaped(op->getOperand(1)).getNumElements() == 0) {
    const mlir::Value nothing =
        mlir::arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
    return Values{filled_tensor(builder, loc, type, nothing)};
  }
  mlir::Value input = lowering.map.lookup(op->getOperand(0));
  mlir::Value kernel = lowering.map.lookup(op->getOperand(1));
  List low(spatial + 2, 0);
  List high(spatial + 2, 0);
  List interior(spatial + 2, 0);
  for (std::size_t i = 0; i < spatial; ++i) {
    low[d.spatial[i]] = window.padding[2 * i];
    high[d.spatial[i]] = window.padding[2 * i + 1];
    interior[d.spatial[i]] = window.input_dilation[i] - 1;
  }
  const mlir::Value zero = mlir::arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(shaped(input).getElementType()));
  const auto nothing = [](std::int64_t value) { return value == 0; };
  if (!llvm::all_of(low, nothing) || !llvm::all_of(high, nothing) ||
      !llvm::all_of(interior, nothing)) {
    input = padded(builder, loc, input, zero, low, high, interior);
  }
  const std::int64_t groups = std::max(feature_groups, batch_groups);
  // Loops of the result in the order of its dimensions, then window and input feature.
  const std::int64_t result_rank = type.getRank() + (groups > 1 ? 1 : 0);
  const auto loop_of = [&](std::int64_t dimension) {
    const bool behind = groups > 1 && dimension >= d.result_feature;
    return builder.getAffineDimExpr(dimension + (behind ? 1 : 0));
  };
  const mlir::AffineExpr group = builder.getAffineDimExpr(d.result_feature);
  const mlir::AffineExpr deep = builder.getAffineDimExpr(result_rank + spatial);
  Expressions from(spatial + 2);
  Expressions with(spatial + 2);
  from[d.batch] = loop_of(d.result_batch);
  from[d.feature] = with[d.kernel_in] = deep;
  with[d.kernel_out] = loop_of(d.result_feature);
  for (std::size_t i = 0; i < spatial; ++i) {
    const mlir::AffineExpr place = builder.getAffineDimExpr(result_rank + i);
    const std::int64_t size = shaped(kernel).getDimSize(d.kernel_spatial[i]);
    const mlir::AffineExpr at = window.reversed[i] ? size - 1 - place : place;
    with[d.kernel_spatial[i]] = place;
    from[d.spatial[i]] = loop_of(d.result_spatial[i]) * window.strides[i] + at * window.dilation[i];
  }
  List shape(type.getShape());
  std::int64_t input_split = -1;
  if (groups > 1) {
    input_split = feature_groups > 1 ? d.feature : d.batch;
    input = split(builder, loc, input, input_split, groups);
    kernel = split(builder, loc, kernel, d.kernel_out, groups);
    shape[d.result_feature] /= groups;
    shape.insert(shape.begin() + d.result_feature, groups);
  }
  const auto map = [&](const Expressions& expressions) {
    return mlir::AffineMap::get(result_rank + spatial + 1, 0, expressions, builder.getContext());
  };
  Expressions into;
  for (std::int64_t i = 0; i < result_rank; ++i) into.push_back(builder.getAffineDimExpr(i));
  const mlir::AffineMap maps[] = {map(with_group(from, input_split, group)),
                                  map(with_group(with, groups > 1 ? d.kernel_out : -1, group)),
                                  map(into)};
  const mlir::Value wide = contraction(lowering, op, {input, kernel}, maps, shape);
  const auto wide_element = shaped(wide).getElementType();
  const mlir::Value whole = groups > 1
                                ? merged(builder, loc, wide, d.result_feature,
                                         mlir::RankedTensorType::get(type.getShape(), wide_element))
                                : wide;
  return Values{narrowed(lowering, loc, whole, type)};
}

}  // namespace tandem::compiler
