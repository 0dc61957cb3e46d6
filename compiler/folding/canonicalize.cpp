// MLIR's canonicalizer, but for how it folds arithmetic on reals, and elements that are known.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/folding/fold.hpp"
#include "compiler/folding/known_element.hpp"
namespace tandem::compiler {
namespace {

struct Canonicalize : OwnPass<Canonicalize, PassName::canonicalize, void> {
  void runOnOperation() override {
    mlir::MLIRContext* context = &getContext();
    mlir::RewritePatternSet patterns(context);
    for (mlir::Dialect* dialect : context->getLoadedDialects()) {
      dialect->getCanonicalizationPatterns(patterns);
    }
    for (const mlir::RegisteredOperationName name : context->getRegisteredOperations()) {
      name.getCanonicalizationPatterns(patterns, context);
    }
    add_known_elements(patterns);
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
