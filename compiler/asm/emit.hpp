// tpu -> linear assembly text.
#pragma once

#include <string>

#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// The whole text of a module at the level `tpu`, for this machine. Failure after an error.
mlir::FailureOr<std::string> emit_assembly(mlir::ModuleOp module, const Parameters& machine);

// Gives every virtual register (%s1, %v2, %m3, %p4) of straight lines with labels and branches one
// of the machine's. Empty after an error, which is then in `complaint`.
std::string assign_registers(const std::string& text, std::string& complaint);

}  // namespace tandem::compiler
