// What a program's file says about who made it, and for which instruction set.
#pragma once

#include <cstdint>

namespace tandem {

inline constexpr const char* version = "0.1.0-dev";

// A number for all that bundles and descriptors are encoded by: opcodes, places of operands,
// fields. A program for another one would be misread, so files tell theirs and readers compare.
std::uint32_t encoding_digest();

}  // namespace tandem
