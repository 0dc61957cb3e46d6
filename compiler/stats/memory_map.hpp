// The placement of buffers in VMEM and HBM over time: the plan of a program as text and as a
// drawing.
#pragma once

#include <string>

#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// Precondition of both: the module is at the level `buffers`, so that every allocation has its
// address. Time is the order of the text; a buffer used in a loop lives to its end.
//
// One line per buffer, by address: rows (VMEM) or words (HBM), steps, line and operation that made
// it; before them, the maximum in use, as the binary will reserve it.
std::string memory_text(mlir::ModuleOp module, const Parameters& machine);
// Addresses to the right, time downwards, a rectangle per buffer with its line in the title.
std::string memory_svg(mlir::ModuleOp module, const Parameters& machine);

}  // namespace tandem::compiler
