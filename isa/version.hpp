// The producer and the instruction set version in a program's file.
#pragma once

#include <cstdint>

namespace tandem {

// The only definition: CMake and pyproject.toml read this line. docs/stability.md states what it
// promises.
inline constexpr const char* version = "0.4.0-dev";

// The version of the encoding of bundles and descriptors: opcodes, positions of operands, fields. A
// program in another version would be misread, so files state theirs and readers compare it.
std::uint32_t encoding_digest();

}  // namespace tandem
