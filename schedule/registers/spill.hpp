// Making room in register files: constants are rematerialized where they are used, and other values
// wait in the block's frame (see LinearBlock) from their writes to their reads.
//
// Scalars take the words below the stack pointer, [s2 - 1 - k]; vectors take eight rows each
// starting with the first of the spill frame, [s3 + 8 k]. Predicates, masks and accumulators have
// no place there.
#pragma once

#include <optional>

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

struct Spills {
  std::uint32_t constants = 0;  // registers whose constant is rematerialized
  std::uint32_t scalars = 0;    // words of the frame in use
  std::uint32_t vectors = 0;    // slots of eight rows
};

inline constexpr std::uint8_t stack_register = 2;
inline constexpr std::uint8_t frame_register = 3;

// An equivalent block whose values fit the register files at one operation per bundle, or nothing.
// Tags are numbers of operations; an added operation has the tag of the one it precedes.
std::optional<LinearBlock> spilled(const LinearBlock& block, Spills& spills);

}  // namespace tandem::schedule
