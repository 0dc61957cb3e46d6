// Upstream has a pass for this, which folds everything that it passes by.
#include "compiler/contract/passes.hpp"
#include "compiler/folding/fold.hpp"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

struct LowerAffine : mlir::PassWrapper<LowerAffine, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerAffine)
  llvm::StringRef getArgument() const override { return "tandem-lower-affine"; }
  llvm::StringRef getDescription() const override {
    return "Write out index arithmetic that is said as affine expressions";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect>();
  }
  void runOnOperation() override {
    mlir::RewritePatternSet patterns(&getContext());
    mlir::populateAffineToStdConversionPatterns(patterns);
    if (mlir::failed(apply_patterns(getOperation(), std::move(patterns)))) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_lower_affine_pass() { return std::make_unique<LowerAffine>(); }

}  // namespace tandem::compiler
