// Removes bundles of few operations: their operations move into bundles before or after them where
// that costs no extra cycle.
//
// Works on any schedule of a region, one bundle after the other, and keeps partial results: it
// still helps where no schedule within the slack is found (schedule/list/slack.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/list/dependence.hpp"
#include "schedule/list/issue_times.hpp"
#include "schedule/list/slack.hpp"
#include "schedule/program/linear.hpp"
#include "schedule/registers/pressure.hpp"

namespace tandem::schedule {

// Each operation's bundle, counted from 0, of a schedule with no more cycles and no more bundles
// than the given one; with `room`, only a schedule whose values have room. Operations that `slack`
// calls fixed stay in their bundles and issue no later; nothing moves into or after the bundle of a
// wait that it was before.
std::vector<std::uint32_t> merged_bundles(const LinearBlock& block, const Region& region,
                                          const DependenceGraph& graph, const IssueClock& clock,
                                          const Slack& slack, const Pressure* room,
                                          const std::vector<std::uint32_t>& bundle_of);

}  // namespace tandem::schedule
