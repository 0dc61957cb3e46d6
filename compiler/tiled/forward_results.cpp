// After bufferization every branch of a choice yields the same buffer, the one for its result.
// Readers of the result can read the buffer instead.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

// The value that all regions yield as this result, if it is the same one, from outside.
mlir::Value common_result(mlir::Operation* op, unsigned index) {
  mlir::Value common;
  for (mlir::Region& region : op->getRegions()) {
    if (region.empty()) return {};
    mlir::Value value = region.front().getTerminator()->getOperand(index);
    if (region.isAncestor(value.getParentRegion())) return {};
    if (common && common != value) return {};
    common = value;
  }
  return common;
}

struct ForwardResults : FunctionPass<ForwardResults, PassName::forward_results> {
  void run() {
    getOperation().walk([](mlir::Operation* op) {
      if (!mlir::isa<mlir::scf::IfOp, mlir::scf::IndexSwitchOp>(op)) return;
      for (const mlir::OpResult result : op->getResults()) {
        if (!mlir::isa<mlir::MemRefType>(result.getType())) continue;
        if (const mlir::Value buffer = common_result(op, result.getResultNumber())) {
          mlir::Value(result).replaceAllUsesWith(buffer);
        }
      }
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_forward_results_pass() {
  return std::make_unique<ForwardResults>();
}

}  // namespace tandem::compiler
