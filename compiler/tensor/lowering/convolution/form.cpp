// Converts the attributes of a convolution to axes.
#include "compiler/tensor/lowering/convolution/convolution.hpp"
#include "compiler/tensor/lowering/precision.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler::convolution {
namespace {

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

// The axes of an operand: two that have names of their own, and the spatial ones.
struct Named {
  llvm::StringRef attribute;
  Role role;
};

bool read_axes(mlir::Operation* op, llvm::ArrayRef<Named> named, llvm::StringRef spatial,
               std::size_t count, Axes& axes) {
  axes.assign(count + 2, Axis{});
  llvm::SmallVector<bool> taken(count + 2, false);
  const auto put = [&](std::int64_t at, Axis axis) {
    if (at < 0 || at >= static_cast<std::int64_t>(axes.size()) || taken[at]) return false;
    axes[at] = axis;
    taken[at] = true;
    return true;
  };
  for (const Named& name : named) {
    std::int64_t at = 0;
    if (!read_integer(op, name.attribute, at) || !put(at, {name.role})) return false;
  }
  List places;
  if (!read_integers(op, spatial, places, count, 0)) return false;
  for (const auto [number, at] : llvm::enumerate(places)) {
    if (!put(at, {Role::spatial, static_cast<std::int64_t>(number)})) return false;
  }
  return true;
}

bool read_spatial(mlir::Operation* op, std::size_t count, llvm::SmallVector<Spatial>& spatial) {
  List strides;
  List padding;
  List input_dilation;
  List dilation;
  if (!read_integers(op, "window_strides", strides, count, 1) ||
      !read_integers(op, "padding", padding, 2 * count, 0) ||
      !read_integers(op, "lhs_dilation", input_dilation, count, 1) ||
      !read_integers(op, "rhs_dilation", dilation, count, 1)) {
    return false;
  }
  spatial.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    spatial[i].stride = strides[i];
    spatial[i].low = padding[2 * i];
    spatial[i].high = padding[2 * i + 1];
    spatial[i].input_dilation = input_dilation[i];
    spatial[i].dilation = dilation[i];
  }
  if (const auto flags = op->getAttrOfType<mlir::DenseElementsAttr>("window_reversal");
      flags && flags.getNumElements() == static_cast<std::int64_t>(count)) {
    for (const auto [index, flag] : llvm::enumerate(flags.getValues<bool>())) {
      spatial[index].reversed = flag;
    }
  }
  return true;
}

// Dimension `at` as two: `groups`, and the members of a group.
mlir::Value split(Lowering& lowering, mlir::Location loc, mlir::Value value, std::int64_t at,
                  std::int64_t groups, Axes& axes) {
  const mlir::RankedTensorType type = tensor_type_of(value);
  List sizes(type.getShape());
  sizes[at] /= groups;
  sizes.insert(sizes.begin() + at, groups);
  llvm::SmallVector<mlir::ReassociationIndices> parts;
  for (std::int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    parts.push_back({next++});
    if (i == at) parts.back().push_back(next++);
  }
  axes.insert(axes.begin() + at, Axis{Role::group});
  return mlir::tensor::ExpandShapeOp::create(
      lowering.builder, loc, mlir::RankedTensorType::get(sizes, type.getElementType()), value,
      parts);
}

void split_groups(Lowering& lowering, Convolution& c, std::int64_t feature_groups) {
  const mlir::Location loc = c.op->getLoc();
  const Axis from{feature_groups > 1 ? Role::feature : Role::batch};
  c.input = split(lowering, loc, c.input, place_of(c.input_axes, from), c.groups, c.input_axes);
  c.kernel =
      split(lowering, loc, c.kernel, place_of(c.kernel_axes, {Role::out}), c.groups, c.kernel_axes);
  const std::int64_t at = place_of(c.result_axes, {Role::out});
  c.result_shape[at] /= c.groups;
  c.result_shape.insert(c.result_shape.begin() + at, c.groups);
  c.result_axes.insert(c.result_axes.begin() + at, Axis{Role::group});
}

}  // namespace

std::int64_t place_of(const Axes& axes, Axis axis) {
  return std::distance(axes.begin(), llvm::find(axes, axis));
}

Axis innermost(const Axes& axes, llvm::ArrayRef<std::int64_t> shape) {
  for (std::size_t i = axes.size(); i > 0; --i) {
    if (shape[i - 1] != 1) return axes[i - 1];
  }
  return axes.back();
}

mlir::FailureOr<Convolution> read(Lowering& lowering, mlir::Operation* op) {
  const auto wrong = [&] {
    return op->emitError("stablehlo.convolution with attributes that do not fit its operands");
  };
  Convolution c;
  c.op = op;
  const std::int64_t rank = tensor_type_of(op->getOperand(0)).getRank();
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  if (rank < 2 || !read_integer(op, "feature_group_count", feature_groups) ||
      !read_integer(op, "batch_group_count", batch_groups)) {
    return wrong();
  }
  const std::size_t count = rank - 2;
  if (!read_axes(
          op, {{"input_batch_dimension", Role::batch}, {"input_feature_dimension", Role::feature}},
          "input_spatial_dimensions", count, c.input_axes) ||
      !read_axes(op,
                 {{"kernel_input_feature_dimension", Role::feature},
                  {"kernel_output_feature_dimension", Role::out}},
                 "kernel_spatial_dimensions", count, c.kernel_axes) ||
      !read_axes(op,
                 {{"output_batch_dimension", Role::batch}, {"output_feature_dimension", Role::out}},
                 "output_spatial_dimensions", count, c.result_axes) ||
      !read_spatial(op, count, c.spatial)) {
    return wrong();
  }
  const auto precision = precision_of(op);
  if (mlir::failed(precision)) return mlir::failure();
  c.precision = *precision;
  c.input = lowering.map.lookup(op->getOperand(0));
  c.kernel = lowering.map.lookup(op->getOperand(1));
  c.result_shape.assign(plain_tensor(op->getResult(0).getType()).getShape());
  for (const auto [number, spatial] : llvm::enumerate(c.spatial)) {
    const Axis axis{Role::spatial, static_cast<std::int64_t>(number)};
    spatial.window = tensor_type_of(c.kernel).getDimSize(place_of(c.kernel_axes, axis));
    spatial.result = c.result_shape[place_of(c.result_axes, axis)];
  }
  c.groups = std::max(feature_groups, batch_groups);
  return c.groups > 1 ? (split_groups(lowering, c, feature_groups), c) : c;
}

mlir::Value padded_input(Lowering& lowering, const Convolution& convolution, mlir::Value input,
                         const Axes& axes, llvm::ArrayRef<std::int64_t> more) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = convolution.op->getLoc();
  List low(axes.size(), 0);
  List high(axes.size(), 0);
  List interior(axes.size(), 0);
  for (const auto [number, spatial] : llvm::enumerate(convolution.spatial)) {
    const std::int64_t at = place_of(axes, {Role::spatial, static_cast<std::int64_t>(number)});
    low[at] = spatial.low;
    high[at] = spatial.high + (more.empty() ? 0 : more[number]);
    interior[at] = spatial.input_dilation - 1;
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

}  // namespace tandem::compiler::convolution
