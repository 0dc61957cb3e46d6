// The regions of a program and the cost of each, for the users of the compiler.
#pragma once

#include <string>

#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// {"regions": [{"numbers", "operations", "place", "flops", "bound", "roof", "predicted", "waits",
// "hbm_in", "hbm_out", "vmem", "busy": {unit: cycles}}], "rest": predicted cycles of code that
// belongs to no region, "unknown_loops"}; `turns` as for cost_of(). The module is at the level
// `tpu`.
std::string costs_json(mlir::ModuleOp module, const Parameters& machine, double turns);

}  // namespace tandem::compiler
