// What a program's file says about who made it, and for which instruction set.
#pragma once

#include <cstdint>

namespace tandem {

// The only place that has it: CMake and pyproject.toml read this line. docs/stability.md tells what
// it promises.
inline constexpr const char* version = "0.4.0-dev";

// A number for all that bundles and descriptors are encoded by: opcodes, places of operands,
// fields. A program for another one would be misread, so files tell theirs and readers compare.
std::uint32_t encoding_digest();

}  // namespace tandem
