// How late each operation of a region may come, when the region has been scheduled once.
//
// That schedule is as short as it can be made, and many of its bundles hold one operation that
// nobody waits for yet. A second one opens bundles only for operations that may not come later, and
// fills them up with others: fewer bundles in as many cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/list/dependence.hpp"
#include "schedule/registers/pressure.hpp"

namespace tandem::schedule {

// Cycles from the region's first, by operation.
struct Slack {
  std::vector<std::uint32_t> earliest;  // a wait comes when it came: nobody knows how long it takes
  std::vector<std::uint32_t> latest;
  std::vector<bool> fixed;           // comes no later than it came
  std::vector<std::uint32_t> opens;  // from here on it does not wait for a bundle of another one

  // After an operation came too late.
  void open_earlier(std::uint32_t late);
};

// Of a region whose operations issue in these cycles (issue_times.hpp: what the first schedule left
// empty the machine does not wait for). Copies, multiplies, what others wait for
// outside of the region, and what nothing follows, come no later than that, and nothing that came
// before a wait comes beside or behind it.
Slack slack_of(const LinearBlock& block, const Region& region, const DependenceGraph& graph,
               const PressureMap& map, const std::vector<std::uint32_t>& cycles);

}  // namespace tandem::schedule
