#include "compiler/tensor/lowering/lowering.hpp"

#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {

mlir::Type plain_element(mlir::Type element) {
  const auto integer = mlir::dyn_cast<mlir::IntegerType>(element);
  if (!integer || integer.isSignless()) return element;
  return mlir::IntegerType::get(element.getContext(), integer.getWidth());
}

mlir::RankedTensorType plain_tensor(mlir::Type type) {
  const auto tensor = mlir::cast<mlir::RankedTensorType>(type);
  return mlir::RankedTensorType::get(tensor.getShape(), plain_element(tensor.getElementType()));
}

Values Lowering::mapped(mlir::ValueRange values) const {
  Values result;
  for (const mlir::Value value : values) result.push_back(map.lookupOrDefault(value));
  return result;
}

mlir::FailureOr<Values> Lowering::lower_block(mlir::Block& block) {
  if (block.empty()) return mlir::emitError(block.getParent()->getLoc(), "an empty block");
  // Terminators are unregistered operations like the others.
  for (mlir::Operation& op : llvm::make_range(block.begin(), std::prev(block.end()))) {
    const llvm::StringRef name = op.getName().getStringRef();
    Handler handler = find_handler(name);
    if (!handler && is_elementwise(name)) handler = lower_elementwise;
    if (!handler) return op.emitError("unimplemented: ") << name;
    mlir::FailureOr<Values> results = handler(*this, &op);
    if (mlir::failed(results)) return mlir::failure();
    map.map(op.getResults(), *results);
  }
  return mapped(block.back().getOperands());
}

mlir::Value empty_tensor(mlir::OpBuilder& builder, mlir::Location loc,
                         mlir::RankedTensorType type) {
  return mlir::tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
}

mlir::Value filled_tensor(mlir::OpBuilder& builder, mlir::Location loc, mlir::RankedTensorType type,
                          mlir::Value scalar) {
  const mlir::Value room = empty_tensor(builder, loc, type);
  return mlir::linalg::FillOp::create(builder, loc, scalar, room).getResult(0);
}

mlir::Value scalar_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value tensor) {
  return mlir::tensor::ExtractOp::create(builder, loc, tensor, mlir::ValueRange{});
}

mlir::Value index_constant(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t value) {
  return mlir::arith::ConstantIndexOp::create(builder, loc, value);
}

mlir::Value parallel_generic(mlir::OpBuilder& builder, mlir::Location loc,
                             mlir::RankedTensorType type, mlir::ValueRange inputs,
                             llvm::ArrayRef<mlir::AffineMap> maps, Body body) {
  llvm::SmallVector<mlir::AffineMap> all(maps);
  all.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  const llvm::SmallVector<mlir::utils::IteratorType> iterators(type.getRank(),
                                                               mlir::utils::IteratorType::parallel);
  return mlir::linalg::GenericOp::create(
             builder, loc, mlir::TypeRange{type}, inputs,
             mlir::ValueRange{empty_tensor(builder, loc, type)}, all, iterators,
             [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
               const mlir::Value result = body(nested, at, arguments.drop_back());
               mlir::linalg::YieldOp::create(nested, at, result);
             })
      .getResult(0);
}

mlir::Value parallel_generic(mlir::OpBuilder& builder, mlir::Location loc,
                             mlir::RankedTensorType type, mlir::ValueRange inputs, Body body) {
  const llvm::SmallVector<mlir::AffineMap> same(inputs.size(),
                                                builder.getMultiDimIdentityMap(type.getRank()));
  return parallel_generic(builder, loc, type, inputs, same, body);
}

mlir::FailureOr<llvm::SmallVector<std::int64_t>> integers(mlir::Operation* op,
                                                          llvm::StringRef name) {
  if (const auto array = op->getAttrOfType<mlir::DenseI64ArrayAttr>(name)) {
    return llvm::SmallVector<std::int64_t>(array.asArrayRef());
  }
  // Truth values, as in `known_expanding`, do not occur; an absent list is an empty one.
  if (!op->hasAttr(name)) return llvm::SmallVector<std::int64_t>{};
  return op->emitError("attribute ") << name << " is no list of integers";
}

mlir::FailureOr<std::int64_t> integer(mlir::Operation* op, llvm::StringRef name) {
  if (const auto value = op->getAttrOfType<mlir::IntegerAttr>(name)) return value.getInt();
  return op->emitError("attribute ") << name << " is missing or no integer";
}

llvm::StringRef text(mlir::Operation* op, llvm::StringRef name) {
  const auto value = op->getAttrOfType<mlir::StringAttr>(name);
  return value ? value.getValue() : llvm::StringRef();
}

}  // namespace tandem::compiler
