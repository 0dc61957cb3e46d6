#include "compiler/tpu/look_up.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler {
namespace {

using mlir::Value;
using Operands = llvm::function_ref<OperandOfTurns(unsigned)>;

bool is_turn(Value value) {
  auto cast = value.getDefiningOp<mlir::arith::IndexCastOp>();
  auto index = cast ? cast.getIn().getDefiningOp<mlir::linalg::IndexOp>() : mlir::linalg::IndexOp();
  return index && index.getDim() == 0;
}

bool depends_on_turn(Value value, mlir::Block* body, Operands operand) {
  if (const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value)) {
    return argument.getOwner() == body && operand(argument.getArgNumber()) != OperandOfTurns::same;
  }
  mlir::Operation* op = value.getDefiningOp();
  if (op->getBlock() != body) return false;
  if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(op)) return index.getDim() == 0;
  return llvm::any_of(op->getOperands(),
                      [&](Value used) { return depends_on_turn(used, body, operand); });
}

}  // namespace

std::optional<LookUp> look_up_of(mlir::linalg::LinalgOp op, Operands operand) {
  mlir::Block* body = op.getBlock();
  mlir::Operation* end = body->getTerminator();
  if (end->getNumOperands() != 1) return std::nullopt;
  auto chosen = end->getOperand(0).getDefiningOp<mlir::arith::SelectOp>();
  auto test =
      chosen ? chosen.getCondition().getDefiningOp<mlir::arith::CmpIOp>() : mlir::arith::CmpIOp();
  if (!test || test.getPredicate() != mlir::arith::CmpIPredicate::eq ||
      !test.getLhs().getType().isInteger(32) ||
      chosen.getFalseValue() != body->getArguments().back()) {
    return std::nullopt;
  }
  const auto word = mlir::dyn_cast<mlir::BlockArgument>(chosen.getTrueValue());
  if (!word || operand(word.getArgNumber()) != OperandOfTurns::word ||
      word.getType().isInteger(1)) {
    return std::nullopt;
  }
  if (!is_turn(test.getLhs()) && !is_turn(test.getRhs())) return std::nullopt;
  const Value wanted = is_turn(test.getLhs()) ? test.getRhs() : test.getLhs();
  if (depends_on_turn(wanted, body, operand)) return std::nullopt;
  return LookUp{word.getArgNumber(), test, wanted};
}

}  // namespace tandem::compiler
