// Stretches of linear code that are entered at their first operation and left after their last.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

struct Region {
  std::uint32_t first = 0;  // operation
  std::uint32_t end = 0;
  bool ends_in_control = false;  // the last operation transfers control: nothing may follow it
};

// In order. Branch targets begin regions; operations that transfer control end them, and so do
// those that must keep their place in time.
std::vector<Region> regions_of(const LinearBlock& block);

// An operation that nothing may move across.
bool pins_time(const Effects& effects);

}  // namespace tandem::schedule
