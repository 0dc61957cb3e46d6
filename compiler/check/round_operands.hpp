// Products with operands rounded as on the machine.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// Operands of contractions in one pass (DEFAULT) are rounded to bf16 in the bodies, before they are
// multiplied. False: there are none. The parts of HIGH and HIGHEST lose less than the order of sums
// does.
bool round_operands(mlir::ModuleOp module);

}  // namespace tandem::compiler
