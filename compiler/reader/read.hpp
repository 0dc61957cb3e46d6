// Input of any kind to a module at the `stablehlo` level.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tandem::compiler {

// Reads an artifact (MLIR bytecode) or MLIR text of any level. Errors are diagnostics of the
// context; null when there are any. They show `name`.
mlir::OwningOpRef<mlir::ModuleOp> read_module(mlir::MLIRContext& context, llvm::StringRef bytes,
                                              llvm::StringRef name);

// vhlo.* and sdy.* operations to stablehlo.*, func.*; attributes to the normal form that
// docs/compiler.md lists. Does nothing to other modules.
mlir::LogicalResult normalise(mlir::ModuleOp module);

// Part of it: replaces collectives of a device that is alone, or alone in its group.
void resolve_alone(mlir::ModuleOp module);

}  // namespace tandem::compiler
