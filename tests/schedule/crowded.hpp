// Operations that leave each other no choice: where ways of a loop go round in exactly an interval,
// the cycles between those on them are fixed, and all may want one slot in one row.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/instructions.hpp"

namespace tandem::test {

// `to` of `later` iterations on comes at least `cycles` after `from`.
struct Follows {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t cycles = 0;
  std::uint32_t later = 0;
};

// Whether in every schedule one row has more operations than slots. Not for an interval that is too
// short for some round.
bool crowded(const std::vector<Group>& groups, const std::vector<Follows>& edges,
             std::uint32_t interval);

}  // namespace tandem::test
