// MLIR's canonicalizer, but for how it folds arithmetic on reals.
#include "compiler/contract/passes.hpp"
#include "compiler/folding/fold.hpp"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

struct Canonicalize : mlir::PassWrapper<Canonicalize, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Canonicalize)
  llvm::StringRef getArgument() const override { return "tandem-canonicalize"; }
  llvm::StringRef getDescription() const override {
    return "Canonicalize, but leave to the machine what it computes otherwise";
  }
  void runOnOperation() override {
    mlir::MLIRContext* context = &getContext();
    mlir::RewritePatternSet patterns(context);
    for (mlir::Dialect* dialect : context->getLoadedDialects()) {
      dialect->getCanonicalizationPatterns(patterns);
    }
    for (const mlir::RegisteredOperationName name : context->getRegisteredOperations()) {
      name.getCanonicalizationPatterns(patterns, context);
    }
    mlir::GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true).setRegionSimplificationLevel(
        mlir::GreedySimplifyRegionLevel::Normal);
    // A tenth round that still changes something is no error, as upstream.
    (void)apply_patterns(getOperation(), std::move(patterns), config);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_canonicalize_pass() { return std::make_unique<Canonicalize>(); }

}  // namespace tandem::compiler
