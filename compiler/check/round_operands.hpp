// Products with the operands that the machine gives them.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// Operands of contractions in one pass (DEFAULT) are rounded to bf16 before they are multiplied, in
// their bodies. False: there are none. Parts of HIGH and HIGHEST leave less behind than sums do.
bool round_operands(mlir::ModuleOp module);

}  // namespace tandem::compiler
