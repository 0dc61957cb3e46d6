// The least interval of a loop, worked out from the operations alone: nothing of schedule/ but its
// data and the author's promises, and of the validator what it has proved about addresses.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/schedule.hpp"

namespace tandem::test {

struct Minimum {
  std::uint32_t slots = 1;  // cycles that the slots and units need
  std::uint32_t round =
      1;  // that values, effects and the branch need going round, with a slot for each
  [[nodiscard]] std::uint32_t cycles() const { return slots > round ? slots : round; }
};

// Of the loop of operations first .. last, whose last branches back to its first. `result` is any
// schedule of the block, of which only the claims about addresses are used, as far as they hold.
Minimum minimum_of(const schedule::LinearBlock& block, const schedule::Result& result,
                   std::uint32_t first, std::uint32_t last, std::uint32_t lanes);

}  // namespace tandem::test
