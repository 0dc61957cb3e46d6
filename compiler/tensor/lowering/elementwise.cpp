// Elementwise operations, constants and iotas.
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;

// Operands of rank 0 next to larger ones (select, clamp) apply to every element.
mlir::AffineMap operand_map(mlir::OpBuilder& builder, mlir::Value operand, std::int64_t rank) {
  if (mlir::cast<mlir::RankedTensorType>(operand.getType()).getRank() == rank) {
    return builder.getMultiDimIdentityMap(rank);
  }
  return mlir::AffineMap::get(rank, 0, builder.getContext());
}

}  // namespace

mlir::FailureOr<Values> lower_elementwise(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const Values inputs = lowering.mapped(op->getOperands());
  llvm::SmallVector<mlir::AffineMap> maps;
  for (const mlir::Value input : inputs)
    maps.push_back(operand_map(builder, input, type.getRank()));
  bool complete = true;
  const mlir::Value result = parallel_generic(
      builder, op->getLoc(), type, inputs, maps,
      [&](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange elements) -> mlir::Value {
        const auto value = scalar_operation(nested, op, elements);
        complete = mlir::succeeded(value);
        if (complete) return *value;
        return arith::ConstantOp::create(nested, loc, nested.getZeroAttr(type.getElementType()));
      });
  if (!complete) return mlir::failure();
  return Values{result};
}

mlir::FailureOr<Values> lower_constant(Lowering& lowering, mlir::Operation* op) {
  auto value = op->getAttrOfType<mlir::DenseElementsAttr>("value");
  if (!value) return op->emitError("a constant without a value");
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const mlir::DenseElementsAttr plain = value.getElementType() == type.getElementType()
                                            ? value
                                            : value.bitcast(type.getElementType());
  return Values{arith::ConstantOp::create(lowering.builder, op->getLoc(), plain)};
}

mlir::FailureOr<Values> lower_iota(Lowering& lowering, mlir::Operation* op) {
  const auto dimension = integer(op, "iota_dimension");
  if (mlir::failed(dimension)) return mlir::failure();
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  return Values{parallel_generic(
      lowering.builder, op->getLoc(), type, {}, {},
      [&](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange) -> mlir::Value {
        const mlir::Value index = mlir::linalg::IndexOp::create(nested, loc, *dimension);
        const mlir::Type element = type.getElementType();
        const bool is_word = element.isInteger(32);
        const mlir::Type word = nested.getI32Type();
        const mlir::Value number = arith::IndexCastOp::create(nested, loc, word, index);
        if (is_word) return number;
        if (mlir::isa<mlir::FloatType>(element)) {
          return arith::SIToFPOp::create(nested, loc, element, number);
        }
        return arith::TruncIOp::create(nested, loc, element, number);
      })};
}

}  // namespace tandem::compiler
