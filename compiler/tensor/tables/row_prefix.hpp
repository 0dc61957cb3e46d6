// Prefixes along rows of VMEM, in registers.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"

namespace tandem::compiler {

// The operation's windows are prefixes along the last dimension, or suffixes with `from_end`.
// Nothing where this form does not support the operation, or has no advantage.
std::optional<mlir::Value> lower_row_prefix(Lowering& lowering, mlir::Operation* op, bool from_end);

}  // namespace tandem::compiler
