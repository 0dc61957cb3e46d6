// Lines of the user for what has none of its own.
#pragma once

#include "mlir/IR/Value.h"

namespace tandem::compiler {

// The line of an argument is that of the first operation that takes it, where it has none itself.
mlir::Location line_of(mlir::BlockArgument argument);

}  // namespace tandem::compiler
