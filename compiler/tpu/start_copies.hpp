// Copies that the start of the machine begins (isa/start_copy.hpp): the first ones of the program,
// from its arguments to VMEM. The pass marks them; they stay where they were, with all of their
// addresses in the descriptor.
#pragma once

#include <vector>

#include "isa/start_copy.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

// Whether the operation is such a copy, for which the program has no instruction.
bool is_at_start(mlir::Operation* op);
// Those of the function, in order.
std::vector<StartCopy> start_copies_of(mlir::func::FuncOp function);

}  // namespace tandem::compiler
