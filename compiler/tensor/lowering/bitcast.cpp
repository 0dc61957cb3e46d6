// Bits read as another type. Where the widths differ, one wide element is a last dimension of
// narrow ones, the lowest bits first.
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

unsigned width_of(mlir::RankedTensorType type) { return type.getElementTypeBitWidth(); }

Value constant(mlir::OpBuilder& builder, mlir::Location loc, mlir::Type type, std::int64_t number) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, number));
}

Value as_bits(mlir::OpBuilder& builder, mlir::Location loc, Value value) {
  const auto type = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  return value.getType() == type ? value : arith::BitcastOp::create(builder, loc, type, value);
}

Value from_bits(mlir::OpBuilder& builder, mlir::Location loc, Value bits, mlir::Type type) {
  return bits.getType() == type ? bits : arith::BitcastOp::create(builder, loc, type, bits);
}

// The parts of an element, each at its index of the last dimension.
Value taken_apart(Lowering& lowering, mlir::Location loc, Value input, mlir::RankedTensorType to) {
  const std::int64_t rank = to.getRank();
  const auto map = lowering.builder.getMultiDimIdentityMap(rank).getMajorSubMap(rank - 1);
  return parallel_generic(
      lowering.builder, loc, to, input, map,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
        const Value bits = as_bits(nested, at, elements.front());
        const mlir::Type wide = bits.getType();
        const Value index = mlir::linalg::IndexOp::create(nested, at, rank - 1);
        Value number = arith::IndexCastOp::create(nested, at, nested.getI32Type(), index);
        if (wide != number.getType()) number = arith::TruncIOp::create(nested, at, wide, number);
        const Value amount =
            arith::MulIOp::create(nested, at, number, constant(nested, at, wide, width_of(to)));
        const Value part =
            arith::TruncIOp::create(nested, at, nested.getIntegerType(width_of(to)),
                                    arith::ShRUIOp::create(nested, at, bits, amount));
        return from_bits(nested, at, part, to.getElementType());
      });
}

// One input for each part of a wide element.
Value put_together(Lowering& lowering, mlir::Location loc, Value input, mlir::RankedTensorType to) {
  const mlir::RankedTensorType from = tensor_type_of(input);
  const std::int64_t parts = width_of(to) / width_of(from);
  llvm::SmallVector<mlir::AffineMap> maps;
  for (std::int64_t part = 0; part < parts; ++part) {
    llvm::SmallVector<mlir::AffineExpr> place;
    for (std::int64_t i = 0; i < to.getRank(); ++i) {
      place.push_back(lowering.builder.getAffineDimExpr(i));
    }
    place.push_back(lowering.builder.getAffineConstantExpr(part));
    maps.push_back(mlir::AffineMap::get(to.getRank(), 0, place, to.getContext()));
  }
  return parallel_generic(
      lowering.builder, loc, to, Values(parts, input), maps,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
        const mlir::Type wide = nested.getIntegerType(width_of(to));
        Value bits = constant(nested, at, wide, 0);
        for (const auto [part, element] : llvm::enumerate(elements)) {
          const Value whole =
              arith::ExtUIOp::create(nested, at, wide, as_bits(nested, at, element));
          const Value amount =
              constant(nested, at, wide, static_cast<std::int64_t>(part * width_of(from)));
          bits = arith::OrIOp::create(nested, at, bits,
                                      arith::ShLIOp::create(nested, at, whole, amount));
        }
        return from_bits(nested, at, bits, to.getElementType());
      });
}

}  // namespace

mlir::FailureOr<Values> lower_bitcast(Lowering& lowering, mlir::Operation* op) {
  const Value input = lowering.map.lookup(op->getOperand(0));
  const mlir::RankedTensorType to = plain_tensor(op->getResult(0).getType());
  const mlir::RankedTensorType from = tensor_type_of(input);
  if (width_of(from) == width_of(to)) return lower_elementwise(lowering, op);
  const bool apart = width_of(from) > width_of(to);
  const mlir::RankedTensorType narrow = apart ? to : from;
  const mlir::RankedTensorType wide = apart ? from : to;
  if (narrow.getRank() != wide.getRank() + 1 || narrow.getShape().drop_back() != wide.getShape() ||
      narrow.getShape().back() * width_of(narrow) != width_of(wide)) {
    return op->emitError("bitcast_convert between shapes that do not fit");
  }
  return Values{apart ? taken_apart(lowering, op->getLoc(), input, to)
                      : put_together(lowering, op->getLoc(), input, to)};
}

}  // namespace tandem::compiler
