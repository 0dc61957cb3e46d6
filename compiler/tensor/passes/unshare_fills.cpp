// A tensor filled with a number costs less than a copy of it: every reader gets its own.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

// An empty tensor for the filling, in the shape in which the present one is made: rows of a
// reshaped one are as long as those that it is made of.
mlir::Value room_like(mlir::OpBuilder& builder, mlir::linalg::FillOp fill) {
  const auto empty = [&](mlir::RankedTensorType type) -> mlir::Value {
    return mlir::tensor::EmptyOp::create(builder, fill.getLoc(), type.getShape(),
                                         type.getElementType());
  };
  auto view = fill.getOutputs().front().getDefiningOp<mlir::tensor::ExpandShapeOp>();
  if (!view || !view.getSrc().getDefiningOp<mlir::tensor::EmptyOp>()) {
    return empty(mlir::cast<mlir::RankedTensorType>(fill.getResult(0).getType()));
  }
  return mlir::tensor::ExpandShapeOp::create(builder, fill.getLoc(), view.getResultType(),
                                             empty(view.getSrcType()),
                                             view.getReassociationIndices());
}

struct UnshareFills : FunctionPass<UnshareFills, PassName::unshare_fills> {
  void run() {
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
      const auto own = mlir::linalg::FillOp::create(builder, fill.getLoc(), fill.getInputs(),
                                                    mlir::ValueRange{room_like(builder, fill)});
      use->set(own->getResult(0));
    }
    fill->erase();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_unshare_fills_pass() { return std::make_unique<UnshareFills>(); }

}  // namespace tandem::compiler
