// Upstream's pass for this folds everything that it visits.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/folding/fold.hpp"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {
namespace {

struct LowerAffine : FunctionPass<LowerAffine, PassName::lower_affine> {
  void run() {
    mlir::RewritePatternSet patterns(&getContext());
    mlir::populateAffineToStdConversionPatterns(patterns);
    if (mlir::failed(apply_patterns(getOperation(), std::move(patterns)))) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_lower_affine_pass() { return std::make_unique<LowerAffine>(); }

}  // namespace tandem::compiler
