// The regions of a program and what each costs, as the compiler hands it to whoever asks.
#pragma once

#include <string>

#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// {"regions": [{"numbers", "operations", "place", "flops", "bound", "roof", "predicted", "waits",
// "hbm_in", "hbm_out", "vmem", "busy": {unit: cycles}}], "rest": predicted cycles of what belongs
// to no region, "unknown_loops"}; `turns` as for cost_of(). The module is at the level `tpu`.
std::string costs_json(mlir::ModuleOp module, const Parameters& machine, double turns);

}  // namespace tandem::compiler
