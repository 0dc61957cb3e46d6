// Decisions as the compiler's process passes them to the tuner's.
#pragma once

#include <optional>

#include "compiler/contract/choices.hpp"

namespace tandem::compiler {

std::string decisions_json(const std::vector<Decision>& decisions);
// Nothing for a text that decisions_json() did not write.
std::optional<std::vector<Decision>> read_decisions(llvm::StringRef text);

}  // namespace tandem::compiler
