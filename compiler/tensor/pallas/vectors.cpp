// Moves of a kernel's vectors, and iotas.
#include "compiler/tensor/pallas/translation.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler::pallas {
namespace {

namespace tensor = mlir::tensor;

Value same_element(mlir::OpBuilder&, mlir::Location, mlir::ValueRange elements) {
  return elements.front();
}

mlir::RankedTensorType type_of(Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

}  // namespace

mlir::FailureOr<Values> shape_cast(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  return Values{reshaped(translation.builder, translation.location(op),
                         translation.get(op->getOperand(0)), type)};
}

mlir::FailureOr<Values> broadcast(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const Value value = translation.get(op->getOperand(0));
  if (!mlir::isa<mlir::RankedTensorType>(value.getType())) {
    return Values{filled_tensor(builder, loc, type, value)};
  }
  // The constant that a scalar's tensor is filled with.
  if (auto fill = value.getDefiningOp<mlir::linalg::FillOp>();
      fill && type_of(value).getRank() == 0) {
    return Values{filled_tensor(builder, loc, type, fill.value())};
  }
  const mlir::RankedTensorType from = type_of(value);
  llvm::SmallVector<mlir::AffineExpr> indices;
  for (std::int64_t i = 0; i < from.getRank(); ++i) {
    const std::int64_t dimension = type.getRank() - from.getRank() + i;
    const bool repeats = from.getDimSize(i) != type.getDimSize(dimension);
    indices.push_back(repeats ? builder.getAffineConstantExpr(0)
                              : builder.getAffineDimExpr(dimension));
  }
  const auto map = mlir::AffineMap::get(type.getRank(), 0, indices, builder.getContext());
  return Values{parallel_generic(builder, loc, type, value, map, same_element)};
}

mlir::FailureOr<Values> transpose(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const auto permutation = mosaic::integers_of(op, "permutation");
  if (static_cast<std::int64_t>(permutation.size()) != type.getRank()) {
    return translation.error(op) << "a transpose without its permutation";
  }
  mlir::OpBuilder& builder = translation.builder;
  llvm::SmallVector<mlir::AffineExpr> indices(permutation.size());
  for (const auto [dimension, source] : llvm::enumerate(permutation)) {
    indices[source] = builder.getAffineDimExpr(dimension);
  }
  const auto map = mlir::AffineMap::get(type.getRank(), 0, indices, builder.getContext());
  return Values{parallel_generic(builder, translation.location(op), type,
                                 translation.get(op->getOperand(0)), map, same_element)};
}

mlir::FailureOr<Values> extract(Translation& translation, Operation* op) {
  const Value value = translation.get(op->getOperand(0));
  auto begin = mosaic::integers_of(op, "static_position");
  const mlir::RankedTensorType from = type_of(value);
  if (op->getNumOperands() != 1) {
    return translation.error(op)
           << "unimplemented: vector.extract at places that are computed in a "
              "Pallas kernel";
  }
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  llvm::SmallVector<std::int64_t> sizes(begin.size(), 1);
  for (std::int64_t i = static_cast<std::int64_t>(begin.size()); i < from.getRank(); ++i) {
    begin.push_back(0);
    sizes.push_back(from.getDimSize(i));
  }
  const llvm::SmallVector<std::int64_t> steps(from.getRank(), 1);
  const auto fold = [&](llvm::ArrayRef<std::int64_t> numbers) {
    return mlir::getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  const Value part = tensor::ExtractSliceOp::create(builder, loc, type, value, fold(begin),
                                                    fold(sizes), fold(steps));
  const bool is_integer = !mlir::isa<mlir::VectorType>(op->getResult(0).getType()) &&
                          !mlir::isa<mlir::FloatType>(type.getElementType());
  return Values{is_integer ? scalar_of(builder, loc, part) : part};
}

mlir::FailureOr<Values> slice(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const auto numbers = [&](llvm::StringRef name) {
    llvm::SmallVector<std::int64_t> result;
    const auto list = op->getAttrOfType<mlir::ArrayAttr>(name);
    for (const mlir::Attribute each : list ? list.getValue() : llvm::ArrayRef<mlir::Attribute>()) {
      const auto number = mlir::dyn_cast<mlir::IntegerAttr>(each);
      result.push_back(number ? number.getInt() : 0);
    }
    return result;
  };
  auto begin = numbers("offsets");
  auto steps = numbers("strides");
  begin.resize(type.getRank(), 0);
  steps.resize(type.getRank(), 1);
  const auto fold = [&](llvm::ArrayRef<std::int64_t> list) {
    return mlir::getAsIndexOpFoldResult(translation.builder.getContext(), list);
  };
  return Values{tensor::ExtractSliceOp::create(translation.builder, translation.location(op), type,
                                               translation.get(op->getOperand(0)), fold(begin),
                                               fold(type.getShape()), fold(steps))};
}

mlir::FailureOr<Values> concatenate(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  const auto dimension = op->getAttrOfType<mlir::IntegerAttr>("dimension");
  if (!type) return mlir::failure();
  if (!dimension) return translation.error(op) << "a concatenation without its dimension";
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  Value result = empty_tensor(builder, loc, type);
  llvm::SmallVector<std::int64_t> begin(type.getRank(), 0);
  const llvm::SmallVector<std::int64_t> steps(type.getRank(), 1);
  const auto fold = [&](llvm::ArrayRef<std::int64_t> list) {
    return mlir::getAsIndexOpFoldResult(builder.getContext(), list);
  };
  for (const Value foreign : op->getOperands()) {
    const Value part = translation.get(foreign);
    const auto sizes = type_of(part).getShape();
    result = tensor::InsertSliceOp::create(builder, loc, part, result, fold(begin), fold(sizes),
                                           fold(steps));
    begin[dimension.getInt()] += sizes[dimension.getInt()];
  }
  return Values{result};
}

// The vector concatenated with itself, and the part of it at the offset where the result begins.
mlir::FailureOr<Values> rotate(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  const auto dimension = op->getAttrOfType<mlir::IntegerAttr>("dimension");
  if (!type) return mlir::failure();
  if (!dimension || op->hasAttr("stride")) {
    return translation.error(op) << "unimplemented: tpu.dynamic_rotate with strides in a Pallas "
                                    "kernel";
  }
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const auto along = static_cast<std::size_t>(dimension.getInt());
  const std::int64_t size = type.getDimSize(dimension.getInt());
  const Value value = translation.get(op->getOperand(0));
  mlir::OpFoldResult start;
  if (const auto amount = mosaic::constant_of(op->getOperand(1))) {
    start = builder.getIndexAttr((size - (*amount % size + size) % size) % size);
  } else {
    // The remainder is a vector's, as the scalar unit has none.
    const Value words = translation.as_tensor(loc, translation.get(op->getOperand(1)));
    const Value rest = parallel_generic(
        builder, loc, type_of(words), words,
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
          const Value all = mlir::arith::ConstantIntOp::create(nested, at, size, 32);
          const Value left = mlir::arith::RemUIOp::create(nested, at, elements[0], all);
          return mlir::arith::SubIOp::create(nested, at, all, left);
        });
    start = mlir::arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                             scalar_of(builder, loc, rest))
                .getResult();
  }
  llvm::SmallVector<std::int64_t> shape(type.getShape());
  shape[along] = 2 * size;
  Value twice = empty_tensor(builder, loc, type.clone(shape));
  llvm::SmallVector<mlir::OpFoldResult> begin(type.getRank(), builder.getIndexAttr(0));
  const llvm::SmallVector<mlir::OpFoldResult> steps(type.getRank(), builder.getIndexAttr(1));
  const auto sizes = mlir::getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  for (const std::int64_t place : {std::int64_t{0}, size}) {
    begin[along] = builder.getIndexAttr(place);
    twice = tensor::InsertSliceOp::create(builder, loc, value, twice, begin, sizes, steps);
  }
  begin[along] = start;
  return Values{tensor::ExtractSliceOp::create(builder, loc, type, twice, begin, sizes, steps)};
}

mlir::FailureOr<Values> iota(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  const auto dimensions = mosaic::integers_of(op, "dimensions");
  if (!type) return mlir::failure();
  if (dimensions.size() != 1 || !type.getElementType().isInteger(32)) {
    return translation.error(op) << "unimplemented: tpu.iota but of 32-bit integers along one "
                                    "dimension in a Pallas kernel";
  }
  return Values{parallel_generic(
      translation.builder, translation.location(op), type, {}, {},
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange) -> Value {
        const Value index = mlir::linalg::IndexOp::create(nested, at, dimensions.front());
        return mlir::arith::IndexCastOp::create(nested, at, nested.getI32Type(), index);
      })};
}

}  // namespace tandem::compiler::pallas
