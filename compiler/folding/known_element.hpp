// Elements of tensors that are known while compiling.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tandem::compiler {

// Adds a pattern: an element at a known place of a tensor of integers that slices, reshapes and
// arithmetic make of constants is a constant. Indices of gathers and scatters often are.
void add_known_elements(mlir::RewritePatternSet& patterns);

}  // namespace tandem::compiler
