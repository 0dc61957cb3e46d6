// Removes orderings that are only due to the choice of names.
#pragma once

#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// Within a basic block each whole write of a virtual register but its last gets its own name, so
// that two uses of one name need not wait for each other. Same meaning, more registers.
LinearBlock renamed(const LinearBlock& block);

}  // namespace tandem::schedule
