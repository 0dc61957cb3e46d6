// Selections that put zero where there is already zero.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// Drops each `vsel mask, x, 0` whose x is +0 wherever the mask is off: a load or selection with
// that mask, and sums, differences and products of such.
void drop_zero_selections(mlir::Operation* function);

}  // namespace tandem::compiler
