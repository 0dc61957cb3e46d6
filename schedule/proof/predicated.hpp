// The block that a scheduler says it has worked on when it has turned branches into predicates:
// made here from the block as written and the numbers of the branches that are gone, by rules of
// its own, and refused where it would not do the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace tandem::schedule::proof {

struct Predicated {
  LinearBlock block;
  Result result;        // with numbers of operations in `block`
  std::string trouble;  // "" or why there is no such block
};

// Precondition: result.converted is not empty.
Predicated predicated(const LinearBlock& block, const Result& result);

}  // namespace tandem::schedule::proof
