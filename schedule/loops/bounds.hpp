// How often an iteration of a loop can begin at most: as allowed by slots and units, and by
// recurrences. Computed independently of the scheduler.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/loops/loop_graph.hpp"
#include "schedule/loops/loop_report.hpp"

namespace tandem::schedule {

inline constexpr std::int64_t far_away = 1'000'000;  // cycles: longer than any schedule

// Longest paths along the edges at an interval, from every node to the end; false when a recurrence
// is slower than the interval.
bool relax_heights(const LoopGraph& graph, std::uint32_t interval,
                   std::vector<std::int64_t>& heights);

// The latest time at which each operation is in time for the branch.
std::vector<std::int64_t> latest_times(const LoopGraph& graph, std::uint32_t interval,
                                       std::uint32_t ahead);

// The first time at which an operation may be placed.
std::int64_t first_time(const LoopGraph& graph, std::uint32_t node, std::uint32_t interval,
                        std::uint32_t ahead);

LoopBounds bounds_of(const LinearBlock& block, const LoopGraph& graph, std::uint32_t ahead);

// The operations, in order, of a path that keeps the interval from being shorter than the bound by
// recurrence: a cycle, or the path from the beginning of an iteration to its branch.
std::vector<std::uint32_t> slowest_round(const LoopGraph& graph, const LoopBounds& bounds,
                                         std::uint32_t ahead);

}  // namespace tandem::schedule
