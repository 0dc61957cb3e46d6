// Which operations of a loop are on a cycle that takes about as long as the interval.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/loops/loop_graph.hpp"
#include "schedule/loops/modulo.hpp"

namespace tandem::schedule {

// By operation: whether some path from it back to itself is at most `slack` cycles short of the
// iterations that it spans. `heights` are those of relax_heights() at this interval; edges looked
// at are spent as work.
std::vector<bool> on_tight_rounds(const LoopGraph& graph, std::uint32_t interval,
                                  const std::vector<std::int64_t>& heights, std::uint32_t slack,
                                  Work& work);

}  // namespace tandem::schedule
