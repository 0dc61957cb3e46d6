// A tensor filled with a number costs less than a copy of it: every reader gets its own.
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

struct UnshareFills : mlir::PassWrapper<UnshareFills, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(UnshareFills)
  llvm::StringRef getArgument() const override { return "tandem-unshare-fills"; }
  llvm::StringRef getDescription() const override {
    return "Give every reader of a filled tensor one of its own";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::linalg::LinalgDialect, mlir::tensor::TensorDialect>();
  }
  void runOnOperation() override {
    llvm::SmallVector<mlir::linalg::FillOp> fills;
    getOperation().walk([&](mlir::linalg::FillOp fill) {
      if (fill->getNumResults() == 1) fills.push_back(fill);
    });
    for (mlir::linalg::FillOp fill : fills) unshare(fill);
  }

 private:
  static void unshare(mlir::linalg::FillOp fill) {
    const auto type = mlir::cast<mlir::RankedTensorType>(fill.getResult(0).getType());
    llvm::SmallVector<mlir::OpOperand*> uses;
    for (mlir::OpOperand& use : fill.getResult(0).getUses()) uses.push_back(&use);
    if (uses.size() < 2 || !type.hasStaticShape()) return;
    for (mlir::OpOperand* use : uses) {
      mlir::OpBuilder builder(use->getOwner());
      const mlir::Value empty = mlir::tensor::EmptyOp::create(
          builder, fill.getLoc(), type.getShape(), type.getElementType());
      const auto own = mlir::linalg::FillOp::create(builder, fill.getLoc(), fill.getInputs(),
                                                    mlir::ValueRange{empty});
      use->set(own->getResult(0));
    }
    fill->erase();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_unshare_fills_pass() { return std::make_unique<UnshareFills>(); }

}  // namespace tandem::compiler
