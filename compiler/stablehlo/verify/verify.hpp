// StableHLO's constraints on its operations, apart from the types that the compiler supports,
// checked on input: StableHLO's own verifier is not linked here, and nothing below checks again.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// Whether operations are nested no deeper than the later recursive code can handle. Not recursive
// itself.
mlir::LogicalResult verify_depth(mlir::ModuleOp module);

// The first invalid operation, with its line, and the reason.
mlir::LogicalResult verify_stablehlo(mlir::ModuleOp module);

}  // namespace tandem::compiler
