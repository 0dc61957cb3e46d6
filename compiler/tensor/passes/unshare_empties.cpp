// Limits the number of writers that share an empty tensor.
//
// Those that share one may write in place of each other, which is wanted. But bufferization
// compares all that share one with each other, for each of them: for a program of 1,500 operations
// without a loop this took more than a minute.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

constexpr std::size_t most_writers = 64;

struct UnshareEmpties : FunctionPass<UnshareEmpties, PassName::unshare_empties> {
  void run() {
    llvm::DenseMap<mlir::tensor::EmptyOp, llvm::SmallVector<mlir::OpOperand*>> uses;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      for (mlir::OpOperand& operand : op->getOpOperands()) {
        if (auto empty = operand.get().getDefiningOp<mlir::tensor::EmptyOp>()) {
          uses[empty].push_back(&operand);
        }
      }
    });
    for (auto& [empty, operands] : uses) unshare(empty, operands);
  }

 private:
  // In the order of the program: neighbours stay together.
  static void unshare(mlir::tensor::EmptyOp empty, llvm::ArrayRef<mlir::OpOperand*> uses) {
    mlir::OpBuilder builder(empty);
    for (std::size_t first = most_writers; first < uses.size(); first += most_writers) {
      const mlir::Value own = builder.clone(*empty)->getResult(0);
      for (mlir::OpOperand* use : uses.drop_front(first).take_front(most_writers)) use->set(own);
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_unshare_empties_pass() {
  return std::make_unique<UnshareEmpties>();
}

}  // namespace tandem::compiler
