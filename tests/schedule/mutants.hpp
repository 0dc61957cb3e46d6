// Deliberate faults of the scheduler, for its validator to find.
#pragma once

#include <string>
#include <vector>

#include "schedule/program/faults.hpp"

namespace tandem::test {

struct Mutant {
  std::string name;
  schedule::Faults faults;
};

std::vector<Mutant> all_mutants();

}  // namespace tandem::test
