#include "compiler/stats/needed.hpp"

#include "compiler/stablehlo/dialect.hpp"

namespace tandem::compiler {
Needed::Needed(mlir::func::FuncOp function) {
  for (mlir::Operation& op : function.getBody().front()) {
    // A call may do more than give results.
    const bool acts = is_stablehlo(&op, "custom_call");
    if (acts) operations_.insert(&op);
    if (acts || op.hasTrait<mlir::OpTrait::IsTerminator>()) add_operands(&op);
  }
  while (!open_.empty()) {
    mlir::Value value = open_.pop_back_val();
    if (const auto result = mlir::dyn_cast<mlir::OpResult>(value)) {
      add_result(result);
    } else if (mlir::Operation* parent = value.getParentBlock()->getParentOp();
               is_stablehlo(parent, "while")) {
      add_carried(parent, mlir::cast<mlir::BlockArgument>(value).getArgNumber());
    }
  }
}

void Needed::add(mlir::Value value) {
  if (values_.insert(value).second) open_.push_back(value);
}

void Needed::add_operands(mlir::Operation* op) {
  for (const mlir::Value operand : op->getOperands()) add(operand);
}

void Needed::add_result(mlir::OpResult result) {
  mlir::Operation* op = result.getOwner();
  const bool is_new = operations_.insert(op).second;
  if (is_stablehlo(op, "while")) {
    add_carried(op, result.getResultNumber());
    if (is_new) add_operands(op->getRegion(0).front().getTerminator());  // whether it goes on
    return;
  }
  if (is_new) add_operands(op);
  const bool is_choice = is_stablehlo(op, "case") || is_stablehlo(op, "if");
  for (mlir::Region& region : op->getRegions()) {
    if (is_choice) {
      add(region.front().getTerminator()->getOperand(result.getResultNumber()));
    } else if (is_new) {
      region.walk([&](mlir::Operation* inner) { add_operands(inner); });
    }
  }
}

// What the loop carries under this number: where it comes from at first, and in each iteration.
void Needed::add_carried(mlir::Operation* loop, unsigned number) {
  add(loop->getOperand(number));
  add(loop->getRegion(1).front().getTerminator()->getOperand(number));
}

}  // namespace tandem::compiler
