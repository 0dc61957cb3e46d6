// Lines of the user for values and operations without their own.
#pragma once

#include "mlir/IR/Value.h"

namespace tandem::compiler {

// An argument without a line of its own has that of the first operation that uses it.
mlir::Location line_of(mlir::BlockArgument argument);

}  // namespace tandem::compiler
