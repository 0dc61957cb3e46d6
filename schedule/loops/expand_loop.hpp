// A modulo schedule written out: see pipeline.hpp for the picture.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/loops/modulo.hpp"
#include "schedule/program/bundled.hpp"

namespace tandem::schedule {

// How many names a value has, and whether the code after the loop wants its last.
struct ValueNames {
  LoopValue value;
  std::uint32_t count = 1;
  bool wanted = false;
};

// Cycles from the write of a value to its last read; 0 where each read comes before it.
std::uint32_t lifetime(const LoopValue& value, const ModuloSchedule& schedule);

struct Expansion {
  const LinearBlock* block = nullptr;
  const LoopGraph* graph = nullptr;
  const ModuloSchedule* schedule = nullptr;
  std::uint32_t unroll = 1;
  std::vector<ValueNames> names;
  Hint hint{};  // of the loop

  // Whether at most as many iterations are promised as the prologue and one round of the kernel
  // begin: then all are written one after another, without a branch back.
  [[nodiscard]] bool once() const;
  // Steps that are written, each one interval.
  [[nodiscard]] std::uint32_t steps() const;
  // Whether the loop may be left after a step: see pipeline.hpp. Later rounds of the kernel leave
  // there too.
  [[nodiscard]] bool may_leave(std::uint32_t step) const;
};

// Whether the last value of each that is wanted can be moved to where it is wanted.
bool can_expand(const Expansion& plan);
// Bundles that expand_loop() makes; an upper bound for those that leave the loop or move values
// wanted after it, since rows in which nothing issues are not written.
std::uint32_t expanded_bundles(const Expansion& plan);
void expand_loop(const Expansion& plan, Bundled& result);

}  // namespace tandem::schedule
