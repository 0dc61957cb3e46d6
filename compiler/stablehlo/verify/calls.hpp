// Whether functions can be put where they are called, and how large the program is then.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler::verify {

mlir::LogicalResult verify_calls(mlir::ModuleOp module);

}  // namespace tandem::compiler::verify
