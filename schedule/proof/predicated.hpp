// The block that the scheduler claims to have scheduled after turning branches into predicates. It
// is built here from the block as written and the numbers of the removed branches, by independent
// rules, and rejected if its meaning would differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/schedule.hpp"

namespace tandem::schedule::proof {

struct Predicated {
  LinearBlock block;
  Result result;        // with numbers of operations in `block`
  std::string trouble;  // "" or the reason why there is no such block
};

// Precondition: result.converted is not empty.
Predicated predicated(const LinearBlock& block, const Result& result);

}  // namespace tandem::schedule::proof
