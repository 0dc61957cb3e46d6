#include "compiler/asm/live_across.hpp"

#include "compiler/asm/operands.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

class Search {
 public:
  explicit Search(mlir::Operation* op) : op_(op) {}

  llvm::SetVector<Value> run() {
    for (mlir::Operation* at = op_; !mlir::isa<mlir::func::FuncOp>(at); at = at->getParentOp()) {
      for (auto next = std::next(at->getIterator()); next != at->getBlock()->end(); ++next) {
        needs(&*next);
      }
      mlir::Operation* around = at->getParentOp();
      if (!mlir::isa<mlir::LoopLikeOpInterface>(around)) continue;
      // The next iteration needs the values from outside. The loop's counter is read at its end.
      around->walk([&](mlir::Operation* user) {
        for (Value operand : user->getOperands()) {
          if (!around->isAncestor(operand.getParentBlock()->getParentOp())) add(operand);
        }
      });
      if (auto loop = mlir::dyn_cast<mlir::scf::ForOp>(around)) add(loop.getInductionVar());
    }
    return std::move(live_);
  }

 private:
  void needs(mlir::Operation* op) {
    op->walk([this](mlir::Operation* user) {
      for (const Value operand : user->getOperands()) add(operand);
    });
  }

  void add(Value value) {
    if (!constant_word(value) && is_there(value)) live_.insert(value);
  }

  // Whether the value is defined before the operation, in its block or in one around it.
  [[nodiscard]] bool is_there(Value value) const {
    mlir::Operation* here = value.getParentBlock()->findAncestorOpInBlock(*op_);
    if (here == nullptr) return false;
    mlir::Operation* made = value.getDefiningOp();
    return made == nullptr || (made != here && made->isBeforeInBlock(here));
  }

  mlir::Operation* op_;
  llvm::SetVector<Value> live_;
};

}  // namespace

llvm::SetVector<Value> live_across(mlir::Operation* op) { return Search(op).run(); }

}  // namespace tandem::compiler
