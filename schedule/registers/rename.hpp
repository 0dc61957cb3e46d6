// Takes the orders away that only the choice of names makes.
#pragma once

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// Within a basic block each whole write of a virtual register but its last gets a name of its own,
// so that two uses of one name need not wait for each other. Same meaning, more registers.
LinearBlock renamed(const LinearBlock& block);

}  // namespace tandem::schedule
