// For machines without links: refuses joint operations of several devices, by name.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/places.hpp"
#include "compiler/stablehlo/collectives/groups.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {
namespace {

// A partitioner makes collectives that have no source line.
llvm::StringRef why(mlir::Operation* op) {
  if (source_place(op->getLoc())) return "";
  return "; an argument or a result must be placed elsewhere than it is (in_shardings, "
         "out_shardings)";
}

struct RefuseLinks : ModulePass<RefuseLinks, PassName::refuse_links> {
  void run() {
    const auto walked = getOperation().walk([](mlir::Operation* op) {
      const llvm::StringRef name = op->getName().getStringRef();
      if (!is_collective(name) && name != "stablehlo.partition_id") {
        return mlir::WalkResult::advance();
      }
      op->emitError("unimplemented: ")
          << name << ": there are no links between devices yet" << why(op);
      return mlir::WalkResult::interrupt();
    });
    if (walked.wasInterrupted()) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_refuse_links_pass() { return std::make_unique<RefuseLinks>(); }

}  // namespace tandem::compiler
