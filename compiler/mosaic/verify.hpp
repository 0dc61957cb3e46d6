// Checks a kernel's module: its operations are registered nowhere, so nothing has verified them.
// The code after it need not check again.
#pragma once

#include <string>

#include "compiler/mosaic/module.hpp"

namespace tandem::compiler::mosaic {

// The error of the operation, or of one inside it; empty where there is none. Unknown operations
// are reported elsewhere.
struct Fault {
  mlir::Operation* op = nullptr;
  std::string what;
};
Fault fault_of(mlir::Block& body);

}  // namespace tandem::compiler::mosaic
