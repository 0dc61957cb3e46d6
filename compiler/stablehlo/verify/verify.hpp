// What StableHLO asks of its operations beside the types that the compiler has, checked where a
// program comes in: StableHLO's own verifier is not linked here, and nothing below asks again.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// Whether operations stand inside of each other no deeper than what follows can go. Does not call
// itself.
mlir::LogicalResult verify_depth(mlir::ModuleOp module);

// The first operation that is not one, with its line, and why.
mlir::LogicalResult verify_stablehlo(mlir::ModuleOp module);

}  // namespace tandem::compiler
