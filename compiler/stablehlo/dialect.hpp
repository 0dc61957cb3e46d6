// The level `stablehlo`: unregistered operations of StableHLO, in the normal form of the reader.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace mlir {
class MLIRContext;
class Operation;
class Type;
}  // namespace mlir

namespace tandem::compiler {

// Allows stablehlo.* operations and attributes in text, and inlining of functions with them.
void load_stablehlo_dialect(mlir::MLIRContext& context);

// Whether the operation is stablehlo.<name>; null is no operation.
bool is_stablehlo(mlir::Operation* op, llvm::StringRef name);

// The type of a token here: an empty tensor of truth values. It carries no data.
mlir::Type token_type(mlir::MLIRContext* context);

}  // namespace tandem::compiler
