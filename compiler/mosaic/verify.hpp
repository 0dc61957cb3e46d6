// Whether a kernel's module is one: nobody has asked that of its operations, which are registered
// nowhere. What comes behind it need not ask again.
#pragma once

#include <string>

#include "compiler/mosaic/module.hpp"

namespace tandem::compiler::mosaic {

// What is wrong with the operation, or with one inside of it; empty where nothing is. Operations
// that are not known are somebody else's business.
struct Fault {
  mlir::Operation* op = nullptr;
  std::string what;
};
Fault fault_of(mlir::Block& body);

}  // namespace tandem::compiler::mosaic
