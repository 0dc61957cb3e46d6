// Elements of tensors that are known while compiling.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace tandem::compiler {

// Adds a pattern: an element at a known place of an integer tensor is a constant if slices,
// reshapes and arithmetic derive the tensor from constants. Indices of gathers and scatters often
// are of this kind.
void add_known_elements(mlir::RewritePatternSet& patterns);

}  // namespace tandem::compiler
