// Setup that every tool of the compiler needs before it reads anything.
#pragma once

namespace mlir {
class DialectRegistry;
class MLIRContext;
}  // namespace mlir

namespace tandem::compiler {

// The upstream dialects that the levels use, with the interfaces that bufferization asks for.
void register_dialects(mlir::DialectRegistry& registry);
// `stablehlo`, `tpu` and the dialects for reading artifacts.
void load_own_dialects(mlir::MLIRContext& context);

}  // namespace tandem::compiler
