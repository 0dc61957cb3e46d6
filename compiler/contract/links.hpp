// Operations that need something of another device.
#pragma once

#include <string>

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// What is said behind the name of an operation that is refused: why, where it is a collective; else
// nothing.
std::string missing_links(mlir::Operation* op);

}  // namespace tandem::compiler
