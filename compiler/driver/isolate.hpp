// One compilation in a process of its own.
#pragma once

#include "compiler/driver/driver.hpp"

namespace tandem::compiler {

// So that no input of any kind can end this process. Throws Interrupted (ess.hpp) where
// it has been asked to end (host/interruption.hpp).
Outcome compile(const Job& job);

}  // namespace tandem::compiler
