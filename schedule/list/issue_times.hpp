// When the bundles of a region issue: in order, each as soon as its operands have arrived and its
// units are free. The machine does not wait for slack left by schedulers.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/list/dependence.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::schedule {

// The operations of each bundle of a region, by their number in the region.
using BundleNodes = std::vector<std::vector<std::uint32_t>>;

// `bundle_of` is each operation's bundle, counted from 0.
BundleNodes bundle_nodes(const std::vector<std::uint32_t>& bundle_of);

class IssueClock {
 public:
  IssueClock(const LinearBlock& block, const Region& region, const DependenceGraph& graph);

  // Cycle of each bundle, from the first on. One without operations does not issue and gets that of
  // the next.
  [[nodiscard]] std::vector<std::uint32_t> times(const BundleNodes& bundles) const;

 private:
  const DependenceGraph& graph_;
  std::vector<std::uint8_t> unit_;       // of each operation
  std::vector<std::uint32_t> occupies_;  // its unit, cycles
};

// Cycles from the first bundle to the last, both included.
std::uint32_t issue_cycles(const LinearBlock& block, const Region& region,
                           const DependenceGraph& graph,
                           const std::vector<std::uint32_t>& bundle_of);

}  // namespace tandem::schedule
