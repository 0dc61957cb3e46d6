// Rewriting by patterns, with folding that agrees with the machine.
#pragma once

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tandem::compiler {

// mlir::applyPatternsGreedily(), except that operations on real constants are folded only where the
// machine would compute the same.
mlir::LogicalResult apply_patterns(mlir::Operation* op, mlir::RewritePatternSet&& patterns,
                                   mlir::GreedyRewriteConfig config = {});

}  // namespace tandem::compiler
