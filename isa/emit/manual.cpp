#include <fmt/format.h>

#include "isa/emit/emit.hpp"

namespace tandem::emit {
std::string manual() { return "# Instruction set\n"; }
}  // namespace tandem::emit
