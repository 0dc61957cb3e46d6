// Values are made before they are used, also in regions of StableHLO's operations: MLIR's verifier
// checks no order there, as it does not know their kind of region.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler::verify {

// Fails, with an error at the operation, where an operand is defined after it, by it, or in a
// region that does not contain it.
mlir::LogicalResult verify_order(mlir::Operation* op);

}  // namespace tandem::compiler::verify
