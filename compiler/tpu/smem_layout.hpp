// Where things lie in SMEM, in words. What depends on the program follows behind.
#pragma once

#include <cstdint>

namespace tandem::compiler::smem {

inline constexpr std::int64_t boot = 0;      // the descriptor of the first copies
inline constexpr std::int64_t scratch = 16;  // scalars on their way between memories
// Word addresses in HBM: of each tensor in order, of the temporaries, of the constants.
inline constexpr std::int64_t bases = 32;

}  // namespace tandem::compiler::smem
