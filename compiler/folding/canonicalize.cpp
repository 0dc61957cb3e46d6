// MLIR's canonicalizer, except for folding of real arithmetic and of known elements.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/folding/fold.hpp"
#include "compiler/folding/known_element.hpp"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"

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
    // Then such an element can be a number in the body that reads it.
    mlir::tensor::populateFoldConstantExtractSlicePatterns(
        patterns, [](auto slice) { return slice.getType().getNumElements() == 1; });
    mlir::GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true).setRegionSimplificationLevel(
        mlir::GreedySimplifyRegionLevel::Normal);
    // As upstream, it is no error if the tenth round still changes something.
    (void)apply_patterns(getOperation(), std::move(patterns), config);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_canonicalize_pass() { return std::make_unique<Canonicalize>(); }

}  // namespace tandem::compiler
