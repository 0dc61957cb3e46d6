// Checks that authors keep what they promise by `.disjoint`, written as operations into the block:
// each access notes the lowest and highest row (or word of SMEM) that its register has reached, and
// where the block is left each pair of spans is compared. A broken promise ends in a trap.
#pragma once

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

inline constexpr std::int32_t broken_promise = 0xd15;  // the trap's detail code

LinearBlock with_disjoint_checks(const LinearBlock& block, std::uint32_t lanes);

}  // namespace tandem::schedule
