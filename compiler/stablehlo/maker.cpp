#include "compiler/stablehlo/maker.hpp"

#include <numeric>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::RankedTensorType;
using mlir::Value;
using List = llvm::SmallVector<std::int64_t>;

RankedTensorType shaped(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

RankedTensorType with_shape(Value value, llvm::ArrayRef<std::int64_t> shape) {
  return RankedTensorType::get(shape, mlir::getElementTypeOrSelf(value.getType()));
}

}  // namespace

RankedTensorType with_element(mlir::Type type, mlir::Type element) {
  return RankedTensorType::get(mlir::cast<RankedTensorType>(type).getShape(), element);
}

Value Maker::make(llvm::StringRef name, mlir::ValueRange operands, mlir::Type type,
                  llvm::ArrayRef<mlir::NamedAttribute> attributes) {
  mlir::OperationState state(loc_, ("stablehlo." + name).str(), operands, mlir::TypeRange(type),
                             attributes);
  return builder_.create(state)->getResult(0);
}

Value Maker::on(llvm::StringRef name, mlir::ValueRange operands) {
  return make(name, operands, operands.front().getType());
}

Value Maker::compare(llvm::StringRef direction, Value a, Value b) {
  return make("compare", {a, b}, with_element(a.getType(), builder_.getI1Type()),
              builder_.getNamedAttr("comparison_direction", builder_.getStringAttr(direction)));
}

Value Maker::convert(Value value, mlir::Type element) {
  if (mlir::getElementTypeOrSelf(value.getType()) == element) return value;
  return make("convert", value, with_element(value.getType(), element));
}

Value Maker::bits(Value value, mlir::Type element) {
  return make("bitcast_convert", value, with_element(value.getType(), element));
}

Value Maker::constant(RankedTensorType type, mlir::DenseElementsAttr value) {
  return make("constant", {}, type, builder_.getNamedAttr("value", value));
}

Value Maker::all(mlir::Type type, double number) {
  const auto tensor = mlir::cast<RankedTensorType>(type);
  const mlir::Type element = tensor.getElementType();
  mlir::Attribute value;
  if (mlir::isa<mlir::FloatType>(element)) {
    value = mlir::FloatAttr::get(element, number);
  } else {
    const llvm::APInt wide(64, static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
    value = mlir::IntegerAttr::get(element, wide.trunc(element.getIntOrFloatBitWidth()));
  }
  return constant(tensor, mlir::DenseElementsAttr::get(tensor, value));
}

Value Maker::choose(Value condition, Value a, Value b) {
  return make("select", {condition, a, b}, a.getType());
}

Value Maker::reshape(Value value, llvm::ArrayRef<std::int64_t> shape) {
  if (shaped(value).getShape() == shape) return value;
  return make("reshape", value, with_shape(value, shape));
}

Value Maker::part(Value value, std::int64_t dimension, std::int64_t from, std::int64_t to) {
  const RankedTensorType type = shaped(value);
  List start(type.getRank(), 0);
  List limit(type.getShape());
  List shape(type.getShape());
  start[dimension] = from;
  limit[dimension] = to;
  shape[dimension] = to - from;
  if (shape == List(type.getShape())) return value;
  const List step(type.getRank(), 1);
  return make("slice", value, with_shape(value, shape),
              {builder_.getNamedAttr("start_indices", builder_.getDenseI64ArrayAttr(start)),
               builder_.getNamedAttr("limit_indices", builder_.getDenseI64ArrayAttr(limit)),
               builder_.getNamedAttr("strides", builder_.getDenseI64ArrayAttr(step))});
}

Value Maker::concatenate(mlir::ValueRange values, std::int64_t dimension) {
  List shape(shaped(values.front()).getShape());
  shape[dimension] = 0;
  for (const Value value : values) shape[dimension] += shaped(value).getDimSize(dimension);
  return make("concatenate", values, with_shape(values.front(), shape),
              builder_.getNamedAttr("dimension", builder_.getI64IntegerAttr(dimension)));
}

Value Maker::transpose(Value value, llvm::ArrayRef<std::int64_t> permutation) {
  List shape;
  for (const std::int64_t from : permutation) shape.push_back(shaped(value).getDimSize(from));
  if (llvm::is_sorted(permutation)) return value;
  return make("transpose", value, with_shape(value, shape),
              builder_.getNamedAttr("permutation", builder_.getDenseI64ArrayAttr(permutation)));
}

Value Maker::reverse(Value value, std::int64_t dimension) {
  return make("reverse", value, value.getType(),
              builder_.getNamedAttr("dimensions", builder_.getDenseI64ArrayAttr({dimension})));
}

Value Maker::broadcast(Value value, llvm::ArrayRef<std::int64_t> shape) {
  const std::int64_t own = shaped(value).getRank();
  List dimensions(own);
  std::iota(dimensions.begin(), dimensions.end(), static_cast<std::int64_t>(shape.size()) - own);
  const auto where = builder_.getDenseI64ArrayAttr(dimensions);
  return make("broadcast_in_dim", value, with_shape(value, shape),
              builder_.getNamedAttr("broadcast_dimensions", where));
}

}  // namespace tandem::compiler
