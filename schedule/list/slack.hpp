// How late each operation of a region may come, when the region has been scheduled once.
//
// That schedule is as short as it can be made, and many of its bundles hold one operation that
// nothing waits for yet. A second schedule opens bundles only for operations that may not come
// later, and fills them with others: fewer bundles in as many cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/list/dependence.hpp"
#include "schedule/registers/pressure.hpp"

namespace tandem::schedule {

// Cycles from the region's first, by operation.
struct Slack {
  std::vector<std::uint32_t> earliest;  // a wait stays where it is: its length is unknown
  std::vector<std::uint32_t> latest;
  std::vector<bool> fixed;           // must not come later than before
  std::vector<std::uint32_t> opens;  // from here on it does not wait for another's bundle

  // After an operation came too late.
  void open_earlier(std::uint32_t late);
};

// Of a region whose operations issue in these cycles (issue_times.hpp: the machine does not wait
// for cycles that the first schedule left empty). Copies, multiplies, operations awaited outside
// the region, and those without successors come no later than that, and nothing that was before a
// wait moves into its bundle or after it.
Slack slack_of(const LinearBlock& block, const Region& region, const DependenceGraph& graph,
               const PressureMap& map, const std::vector<std::uint32_t>& cycles);

}  // namespace tandem::schedule
