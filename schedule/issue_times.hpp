// When the bundles of a region issue: in order, each as soon as what it needs has come and its
// units are free. What schedulers leave as slack the machine does not wait for.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/dependence.hpp"
#include "schedule/linear.hpp"

namespace tandem::schedule {

// Cycles from the first bundle to the last, both included; `bundle_of` tells each operation's
// bundle, from 0 on.
std::uint32_t issue_cycles(const LinearBlock& block, const Region& region,
                           const DependenceGraph& graph,
                           const std::vector<std::uint32_t>& bundle_of);

}  // namespace tandem::schedule
