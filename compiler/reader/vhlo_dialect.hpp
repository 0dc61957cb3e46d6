// The dialects of StableHLO artifacts, supported only for reading.
#pragma once

namespace mlir {
class MLIRContext;
}

namespace tandem::compiler {

// Makes `vhlo` and `sdy` readable from bytecode. Their operations stay unregistered ones, with the
// properties of the bytecode as plain attributes.
void load_artifact_dialects(mlir::MLIRContext& context);

}  // namespace tandem::compiler
