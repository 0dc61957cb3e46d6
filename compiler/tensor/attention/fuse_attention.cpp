// Two contractions and the operations between them, tile by tile: attention never sends its scores
// to HBM, however long its rows are.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/attention/tiles.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

using mlir::linalg::LinalgOp;

struct FuseAttention : FunctionPass<FuseAttention, PassName::fuse_attention> {
  explicit FuseAttention(const Parameters& machine) : machine(machine) {}
  // The last contraction that ends a chain and has not been considered yet.
  bool rewrite_one(llvm::SmallPtrSetImpl<mlir::Operation*>& seen) {
    llvm::SmallVector<LinalgOp> contractions;
    getOperation().walk([&](LinalgOp op) {
      if (attribute::precision.is_on(op) && !seen.contains(op)) contractions.push_back(op);
    });
    for (LinalgOp op : contractions) {
      seen.insert(op);
      const auto chain = online::Chain::find(op);
      if (!chain) continue;
      online::Tiles tiles(*chain, machine);
      if (choose(op, DecisionName::online, tiles.is_worth_it() ? 1 : 0, {0, 1}) == 0) continue;
      tiles.take_untransposed();
      const online::TileSizes sizes = tiles.sizes();
      if (sizes.rows == 0) continue;
      llvm::SmallPtrSet<mlir::Operation*, 16> others(contractions.begin(), contractions.end());
      for (const online::Step& step : chain->steps()) others.erase(step.op);
      tiles.emit(sizes);
      // Its replacement contains no chain of its own.
      getOperation().walk([&](LinalgOp made) {
        if (!others.contains(made)) seen.insert(made);
      });
      return true;
    }
    return false;
  }

  void run() {
    llvm::SmallPtrSet<mlir::Operation*, 16> seen;
    while (rewrite_one(seen)) {
    }
  }

  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_fuse_attention_pass(const Parameters& machine) {
  return std::make_unique<FuseAttention>(machine);
}

}  // namespace tandem::compiler
