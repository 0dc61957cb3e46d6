// Operands of commutative operations in one order, whatever the program has: then CSE recognizes
// equal operations, and nothing below depends on how a sum was written.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {
namespace {

bool is_commutative(mlir::Operation* op) {
  static const llvm::StringSet<> names{
      "stablehlo.add", "stablehlo.multiply", "stablehlo.maximum", "stablehlo.minimum",
      "stablehlo.and", "stablehlo.or",       "stablehlo.xor"};
  return names.contains(op->getName().getStringRef()) && op->getNumOperands() == 2;
}

struct OrderOperands : FunctionPass<OrderOperands, PassName::order_operands> {
  void run() {
    places_.clear();
    number(getOperation());
    getOperation().walk([&](mlir::Operation* op) {
      if (!is_commutative(op)) return;
      const mlir::Value first = op->getOperand(0);
      const mlir::Value second = op->getOperand(1);
      if (places_.lookup(first) > places_.lookup(second)) op->setOperands({second, first});
    });
  }

 private:
  void number(mlir::Operation* op) {
    for (const mlir::Value result : op->getResults()) places_[result] = ++last_;
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Block& block : region) {
        for (const mlir::Value argument : block.getArguments()) places_[argument] = ++last_;
        for (mlir::Operation& inner : block) number(&inner);
      }
    }
  }

  llvm::DenseMap<mlir::Value, unsigned> places_;
  unsigned last_ = 0;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_order_operands_pass() { return std::make_unique<OrderOperands>(); }

}  // namespace tandem::compiler
