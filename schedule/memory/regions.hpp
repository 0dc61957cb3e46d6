// Stretches of linear code that are entered at their first operation and left behind their last.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

struct Region {
  std::uint32_t first = 0;  // operation
  std::uint32_t end = 0;
  bool ends_in_control = false;  // the last operation passes control on: nothing may follow it
};

// In order. Branch targets begin regions; operations that pass control on end them, and so does
// what must stay where it is in time.
std::vector<Region> regions_of(const LinearBlock& block);

// An operation before which, or behind which, everything stays where it is.
bool pins_time(const Effects& effects);

}  // namespace tandem::schedule
