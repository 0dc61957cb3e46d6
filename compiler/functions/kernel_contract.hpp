// The contract of a kernel whose lines become part of a program (docs/python_kernels.md).
#pragma once

#include <string>

#include "isa/parameters.hpp"

namespace tandem::compiler {

// The line of a kernel's text that breaks its contract, and how; "" for none. A text that does not
// assemble by itself breaks it, as it cannot be checked.
struct Breach {
  std::string place;  // "k.py:7: ", where the text states it
  std::string what;
};
Breach kernel_breach(const std::string& text, unsigned inputs, unsigned outputs,
                     const Parameters& machine);

}  // namespace tandem::compiler
