// tpu -> linear assembly text.
#pragma once

#include <string>

#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

enum class Frame : bool { none, of_what_is_left };

// The whole text of a module at the level `tpu`, for this machine. With a frame, values without a
// register are spilled to the SMEM and VMEM that the program leaves unused. Failure after an error.
mlir::FailureOr<std::string> emit_assembly(mlir::ModuleOp module, const Parameters& machine,
                                           Frame frame);

}  // namespace tandem::compiler
