// The compiler's version as recorded in a program's file and printed by `tandem-compile --version`.
#pragma once

#include <string>

namespace tandem::compiler {

// "tandem-compile 0.1.0-dev, MLIR 22.1.8"
std::string producer();
// The same and the instruction set: "tandem-compile 0.1.0-dev, MLIR 22.1.8, isa 1234abcd".
std::string versions();

}  // namespace tandem::compiler
