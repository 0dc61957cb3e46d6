// tpu -> linear assembly text.
#pragma once

#include <string>

#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// The whole text of a module at the level `tpu`, for this machine. Failure after an error.
mlir::FailureOr<std::string> emit_assembly(mlir::ModuleOp module, const Parameters& machine);

}  // namespace tandem::compiler
