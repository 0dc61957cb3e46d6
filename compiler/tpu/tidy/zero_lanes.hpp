// Selections that put zero where there is zero already.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// Drops each `vsel mask, x, 0` whose x is +0 wherever the mask is off: a load or selection with
// that mask, and what sums, differences and products make of such.
void drop_zero_selections(mlir::Operation* function);

}  // namespace tandem::compiler
