// Convolution: the choice of its form, and the general form.
#include "compiler/tensor/lowering/convolution/convolution.hpp"
#include "compiler/tensor/tensor_type.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace convolution {

// Loops: those of the result in the order of its axes | window, input feature.
mlir::Value by_windows(Lowering& lowering, const Convolution& c) {
  mlir::OpBuilder& builder = lowering.builder;
  const auto rank = static_cast<std::int64_t>(c.result_axes.size());
  const auto spatial = static_cast<std::int64_t>(c.spatial.size());
  const std::int64_t loops = rank + spatial + 1;
  const auto of_result = [&](Axis axis) {
    return builder.getAffineDimExpr(place_of(c.result_axes, axis));
  };
  const auto of_window = [&](std::int64_t number) {
    return builder.getAffineDimExpr(rank + number);
  };
  const mlir::AffineExpr feature = builder.getAffineDimExpr(loops - 1);
  const auto expression = [&](const Axis& axis, bool is_kernel) -> mlir::AffineExpr {
    if (axis.role == Role::feature) return feature;
    if (axis.role != Role::spatial) return of_result(axis);
    const mlir::AffineExpr place = of_window(axis.number);
    if (is_kernel) return place;
    const Spatial& s = c.spatial[axis.number];
    const mlir::AffineExpr at = s.reversed ? s.window - 1 - place : place;
    return of_result(axis) * s.stride + at * s.dilation;
  };
  Expressions input;
  Expressions kernel;
  for (const Axis& axis : c.input_axes) input.push_back(expression(axis, false));
  for (const Axis& axis : c.kernel_axes) kernel.push_back(expression(axis, true));
  const auto map = [&](const Expressions& expressions) {
    return mlir::AffineMap::get(loops, 0, expressions, builder.getContext());
  };
  Expressions into;
  for (std::int64_t i = 0; i < rank; ++i) into.push_back(builder.getAffineDimExpr(i));
  const mlir::AffineMap maps[] = {map(input), map(kernel), map(into)};
  return contraction(lowering, c.op, {padded_input(lowering, c, c.input, c.input_axes), c.kernel},
                     maps, c.result_shape, c.precision);
}

}  // namespace convolution

mlir::FailureOr<Values> lower_convolution(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const auto is_empty = [](mlir::Value value) {
    return tensor_type_of(value).getNumElements() == 0;
  };
  auto read = convolution::read(lowering, op);
  if (mlir::failed(read)) return mlir::failure();
  // No window fits, or there is nothing to multiply: no element, or only zeros.
  if (type.getNumElements() == 0 || is_empty(op->getOperand(0)) || is_empty(op->getOperand(1))) {
    const mlir::Value nothing =
        mlir::arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
    return Values{filled_tensor(builder, loc, type, nothing)};
  }
  mlir::Value result = convolution::by_full_rows(lowering, *read);
  if (!result) result = convolution::by_channel(lowering, *read);
  if (!result) result = convolution::by_result_rows(lowering, *read);
  if (!result) result = convolution::by_blocks(lowering, *read);
  if (!result) result = convolution::by_patches(lowering, *read);
  if (!result) result = convolution::by_windows(lowering, *read);
  if (read->groups > 1) {
    const std::int64_t at = convolution::place_of(read->result_axes, {convolution::Role::group});
    llvm::SmallVector<mlir::ReassociationIndices> parts;
    for (std::int64_t i = 0, next = 0; i < type.getRank(); ++i) {
      parts.push_back({next++});
      if (i == at) parts.back().push_back(next++);
    }
    const auto element = tensor_type_of(result).getElementType();
    result = mlir::tensor::CollapseShapeOp::create(
        builder, loc, mlir::RankedTensorType::get(type.getShape(), element), result, parts);
  }
  return Values{narrowed(lowering, loc, result, type)};
}

}  // namespace tandem::compiler
