// Ranges of scalar registers where each region begins, from the constants that flow there and the
// comparisons that branches test: a counter that runs from 0 in steps of 8 while below 64 is one of
// 0, 8, .. 56.
#pragma once

#include <vector>

#include "schedule/memory/address.hpp"
#include "schedule/memory/regions.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// By the first operation of each region. Only registers that are virtual, live from region to
// region and are not constants throughout have any.
Values::Entries value_ranges(const LinearBlock& block, const std::vector<Region>& regions);

}  // namespace tandem::schedule
