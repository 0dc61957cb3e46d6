// Costs of the machine's units that decide between alternatives.
#pragma once

#include <cstdint>

namespace tandem::compiler {

// Rows of VMEM from one row of a load or store to the next, at most, in either direction: the field
// has 12 bits and a sign.
inline constexpr std::int64_t stride_reach = 2000;

// Cycles from the start of a copy to the end of the wait for it, in addition to those of its words.
inline constexpr std::int64_t copy_latency = 40;

}  // namespace tandem::compiler
