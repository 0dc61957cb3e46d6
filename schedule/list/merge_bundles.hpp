// Bundles of few operations, done away with: their operations go into bundles before or behind them
// where that takes no cycle more.
//
// Works on any schedule of a region, a bundle after the other, and keeps what it has reached: where
// a schedule within the slack is not found (schedule/list/slack.hpp), this still is.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/list/dependence.hpp"
#include "schedule/list/issue_times.hpp"
#include "schedule/list/slack.hpp"
#include "schedule/program/linear.hpp"
#include "schedule/registers/pressure.hpp"

namespace tandem::schedule {

// Each operation's bundle, from 0 on, of a schedule that has no more cycles than the one given and
// no more bundles; with `room`, only what has room for its values. What `slack` calls fixed stays
// in its bundle and issues no later; nothing comes beside or behind a wait that it came before.
std::vector<std::uint32_t> merged_bundles(const LinearBlock& block, const Region& region,
                                          const DependenceGraph& graph, const IssueClock& clock,
                                          const Slack& slack, const Pressure* room,
                                          const std::vector<std::uint32_t>& bundle_of);

}  // namespace tandem::schedule
