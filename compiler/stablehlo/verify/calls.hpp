// Whether functions can be inlined, and the size of the program afterwards.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler::verify {

mlir::LogicalResult verify_calls(mlir::ModuleOp module);

}  // namespace tandem::compiler::verify
