#include "compiler/check/round_operands.hpp"

#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

// To nearest, ties to even, in integers: a processor's bf16 conversion is a library's.
Value rounded(mlir::OpBuilder& builder, mlir::Location loc, Value number) {
  const mlir::Type word = builder.getI32Type();
  const auto constant = [&](std::int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(word, value));
  };
  constexpr std::int64_t dropped = 16;  // bits
  const Value bits = arith::BitcastOp::create(builder, loc, word, number);
  const Value above = arith::ShRUIOp::create(builder, loc, bits, constant(dropped));
  const Value odd = arith::AndIOp::create(builder, loc, above, constant(1));
  const Value half = arith::AddIOp::create(builder, loc, odd, constant((1 << (dropped - 1)) - 1));
  const Value sum = arith::AddIOp::create(builder, loc, bits, half);
  const Value kept = arith::AndIOp::create(builder, loc, sum, constant(-(1 << dropped)));
  const Value result = arith::BitcastOp::create(builder, loc, number.getType(), kept);
  const Value is_nan =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, number, number);
  return arith::SelectOp::create(builder, loc, is_nan, number, result);
}

}  // namespace

bool round_operands(mlir::ModuleOp module) {
  llvm::SmallVector<arith::MulFOp> products;
  module.walk([&](mlir::linalg::LinalgOp op) {
    const auto precision = attribute::precision.get(op);
    if (!precision || precision.getValue() != "DEFAULT") return;
    for (auto product : op.getBlock()->getOps<arith::MulFOp>()) {
      if (product.getType().isF32()) products.push_back(product);
    }
  });
  for (arith::MulFOp product : products) {
    mlir::OpBuilder builder(product);
    for (mlir::OpOperand& operand : product->getOpOperands()) {
      operand.set(rounded(builder, product.getLoc(), operand.get()));
    }
  }
  return !products.empty();
}

}  // namespace tandem::compiler
