// Loops of a block that hold no other, found apart from the scheduler.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/linear.hpp"

namespace tandem::test {

// Operations first .. last, whose last branches back to its first.
struct InnerLoop {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// A loop holds the operations on a path around it, wherever they are in the text.
std::vector<InnerLoop> inner_loops(const schedule::LinearBlock& block);

// Whether there is control in the loop's middle: then it is not a stretch, and has no minimum of
// its own.
bool is_one_stretch(const schedule::LinearBlock& block, const InnerLoop& loop);

}  // namespace tandem::test
