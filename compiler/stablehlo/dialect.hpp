// The level `stablehlo`: unregistered operations of StableHLO, in the normal form of the reader.
#pragma once

namespace mlir {
class MLIRContext;
class Type;
}  // namespace mlir

namespace tandem::compiler {

// Lets stablehlo.* operations and attributes stand in text, and functions of them be inlined.
void load_stablehlo_dialect(mlir::MLIRContext& context);

// What a token is here: truth values, and none of them. It carries no data.
mlir::Type token_type(mlir::MLIRContext* context);

}  // namespace tandem::compiler
