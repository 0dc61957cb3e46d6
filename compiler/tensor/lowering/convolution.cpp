// Convolution as a contraction: the window is linear in the loops, so no patches are ever built.
//
// Loops: batch, spatial, group, output feature | window, input feature. Groups become dimensions of
// their own first.
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/precision.hpp"
#include "compiler/tensor/tensor_type.hpp"
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
  const std::size_t spatial = tensor_type_of(op->getOperand(0)).getRank() - 2;
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
  const std::size_t spatial = tensor_type_of(op->getOperand(0)).getRank() - 2;
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
  const mlir::RankedTensorType type = tensor_type_of(value);
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

struct Convolution {
  Dimensions dimensions;
  Window window;
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;

  [[nodiscard]] std::int64_t groups() const { return std::max(feature_groups, batch_groups); }
};

bool read(mlir::Operation* op, Convolution& convolution) {
  return tensor_type_of(op->getOperand(0)).getRank() >= 2 && read(op, convolution.dimensions) &&
         read(op, convolution.window) &&
         read_integer(op, "feature_group_count", convolution.feature_groups) &&
         read_integer(op, "batch_group_count", convolution.batch_groups);
}

// The input with what its padding and dilation put between its elements.
mlir::Value padded_input(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value input,
                         const Convolution& convolution) {
  const Window& window = convolution.window;
  const List& places = convolution.dimensions.spatial;
  List low(places.size() + 2, 0);
  List high(places.size() + 2, 0);
  List interior(places.size() + 2, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    low[places[i]] = window.padding[2 * i];
    high[places[i]] = window.padding[2 * i + 1];
    interior[places[i]] = window.input_dilation[i] - 1;
  }
  const auto nothing = [](std::int64_t value) { return value == 0; };
  if (llvm::all_of(low, nothing) && llvm::all_of(high, nothing) &&
      llvm::all_of(interior, nothing)) {
    return input;
  }
  const mlir::Value zero = mlir::arith::ConstantOp::create(
      builder, loc, builder.getZeroAttr(tensor_type_of(input).getElementType()));
  return padded(builder, loc, input, zero, low, high, interior);
}

// Which element of the input, the kernel and the result a turn of the loops takes. The loops are
// those of the result in the order of its dimensions, then window and input feature.
struct Accesses {
  Expressions input;
  Expressions kernel;
  std::int64_t loops = 0;
};

Accesses accesses_of(mlir::OpBuilder& builder, const Convolution& convolution, mlir::Value kernel) {
  const Dimensions& d = convolution.dimensions;
  const Window& window = convolution.window;
  const std::size_t spatial = d.spatial.size();
  const bool grouped = convolution.groups() > 1;
  const auto result_rank = static_cast<std::int64_t>(spatial + (grouped ? 3 : 2));
  const auto loop_of = [&](std::int64_t dimension) {
    const bool behind = grouped && dimension >= d.result_feature;
    return builder.getAffineDimExpr(dimension + (behind ? 1 : 0));
  };
  Accesses result{Expressions(spatial + 2), Expressions(spatial + 2),
                  result_rank + static_cast<std::int64_t>(spatial) + 1};
  result.input[d.batch] = loop_of(d.result_batch);
  result.input[d.feature] = result.kernel[d.kernel_in] = builder.getAffineDimExpr(result.loops - 1);
  result.kernel[d.kernel_out] = loop_of(d.result_feature);
  for (std::size_t i = 0; i < spatial; ++i) {
    const mlir::AffineExpr place = builder.getAffineDimExpr(result_rank + i);
    const std::int64_t size = tensor_type_of(kernel).getDimSize(d.kernel_spatial[i]);
    const mlir::AffineExpr at = window.reversed[i] ? size - 1 - place : place;
    result.kernel[d.kernel_spatial[i]] = place;
    result.input[d.spatial[i]] =
        loop_of(d.result_spatial[i]) * window.strides[i] + at * window.dilation[i];
  }
  return result;
}

}  // namespace

mlir::FailureOr<Values> lower_convolution(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  Convolution convolution;
  if (!read(op, convolution)) {
    return op->emitError("stablehlo.convolution with attributes that do not fit its operands");
  }
  const Dimensions& d = convolution.dimensions;
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  // No window fits, or there is nothing to multiply: no element, or zeros.
  if (type.getNumElements() == 0 || tensor_type_of(op->getOperand(0)).getNumElements() == 0 ||
      tensor_type_of(op->getOperand(1)).getNumElements() == 0) {
    const mlir::Value nothing =
        mlir::arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
    return Values{filled_tensor(builder, loc, type, nothing)};
  }
  mlir::Value input =
      padded_input(builder, loc, lowering.map.lookup(op->getOperand(0)), convolution);
  mlir::Value kernel = lowering.map.lookup(op->getOperand(1));
  Accesses accesses = accesses_of(builder, convolution, kernel);
  const bool grouped = convolution.groups() > 1;
  List shape(type.getShape());
  if (grouped) {
    const std::int64_t at = convolution.feature_groups > 1 ? d.feature : d.batch;
    const mlir::AffineExpr group = builder.getAffineDimExpr(d.result_feature);
    input = split(builder, loc, input, at, convolution.groups());
    kernel = split(builder, loc, kernel, d.kernel_out, convolution.groups());
    accesses.input.insert(accesses.input.begin() + at, group);
    accesses.kernel.insert(accesses.kernel.begin() + d.kernel_out, group);
    shape[d.result_feature] /= convolution.groups();
    shape.insert(shape.begin() + d.result_feature, convolution.groups());
  }
  const auto map = [&](const Expressions& expressions) {
    return mlir::AffineMap::get(accesses.loops, 0, expressions, builder.getContext());
  };
  Expressions into;
  for (std::size_t i = 0; i < shape.size(); ++i) into.push_back(builder.getAffineDimExpr(i));
  const mlir::AffineMap maps[] = {map(accesses.input), map(accesses.kernel), map(into)};
  const auto precision = precision_of(op);
  if (mlir::failed(precision)) return mlir::failure();
  mlir::Value result = contraction(lowering, op, {input, kernel}, maps, shape, *precision);
  if (grouped) {
    const auto element = tensor_type_of(result).getElementType();
    result = merged(builder, loc, result, d.result_feature,
                    mlir::RankedTensorType::get(type.getShape(), element));
  }
  return Values{narrowed(lowering, loc, result, type)};
}

}  // namespace tandem::compiler
