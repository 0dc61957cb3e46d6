// Bins of traps; see coverage.hpp.
#pragma once

#include "tests/programs/coverage.hpp"

namespace tandem::directed {

// Precondition: the record traps.
void add_trap(const RetireRecord& record, Bins& bins);

}  // namespace tandem::directed
