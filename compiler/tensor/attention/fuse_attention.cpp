// Two contractions and what stands between them, tile by tile: attention never sends its scores to
// HBM, however long its rows are.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/choices.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/attention/tiles.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::linalg::LinalgOp;

struct Online : mlir::PassWrapper<Online, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Online)
  explicit Online(const Parameters& machine) : machine(machine) {}
  llvm::StringRef getArgument() const override { return "tandem-online"; }
  llvm::StringRef getDescription() const override {
    return "Do contractions of what others make of contractions tile by tile";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect,
                    mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                    mlir::tensor::TensorDialect>();
  }

  // The last contraction that a chain ends in and that has not been looked at.
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
      if (choose(op, "online", tiles.is_worth_it() ? 1 : 0, {0, 1}) == 0) continue;
      tiles.take_untransposed();
      const online::TileSizes sizes = tiles.sizes();
      if (sizes.rows == 0) continue;
      llvm::SmallPtrSet<mlir::Operation*, 16> others(contractions.begin(), contractions.end());
      for (const online::Step& step : chain->steps()) others.erase(step.op);
      tiles.emit(sizes);
      // What it has made is no chain of its own.
      getOperation().walk([&](LinalgOp made) {
        if (!others.contains(made)) seen.insert(made);
      });
      return true;
    }
    return false;
  }

  void runOnOperation() override {
    if (getOperation().isExternal()) return;  // a kernel
    llvm::SmallPtrSet<mlir::Operation*, 16> seen;
    while (rewrite_one(seen)) {
    }
  }

  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_online_pass(const Parameters& machine) {
  return std::make_unique<Online>(machine);
}

}  // namespace tandem::compiler
