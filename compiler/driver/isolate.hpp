// One compilation in a process of its own.
#pragma once

#include "compiler/driver/driver.hpp"

namespace tandem::compiler {

// Protects this process from any input. Throws Interrupted (ess.hpp) where it has been asked to end
// (host/interruption.hpp).
Outcome compile(const Job& job);

}  // namespace tandem::compiler
