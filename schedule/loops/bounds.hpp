// How often an iteration of a loop can begin at most: what slots and units allow, and what values
// that go round do. Computed apart from the scheduler.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/loops/loop_graph.hpp"
#include "schedule/loops/loop_report.hpp"

namespace tandem::schedule {

inline constexpr std::int64_t far_away = 1'000'000;  // cycles: beyond every schedule

// Longest ways along the edges at an interval, from every node to the end; or false when values go
// round more slowly than that.
bool relax_heights(const LoopGraph& graph, std::uint32_t interval,
                   std::vector<std::int64_t>& heights);

// The latest time at which each operation is in time for the branch.
std::vector<std::int64_t> latest_times(const LoopGraph& graph, std::uint32_t interval,
                                       std::uint32_t ahead);

// The first time at which an operation may stand.
std::int64_t first_time(const LoopGraph& graph, std::uint32_t node, std::uint32_t interval,
                        std::uint32_t ahead);

LoopBounds bounds_of(const LinearBlock& block, const LoopGraph& graph, std::uint32_t ahead);

// The operations of a way that keeps the interval from being less than the bound by recurrence, in
// their order: those that go round, or those from the beginning of an iteration to its branch.
std::vector<std::uint32_t> slowest_round(const LoopGraph& graph, const LoopBounds& bounds,
                                         std::uint32_t ahead);

}  // namespace tandem::schedule
