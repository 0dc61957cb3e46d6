#include "schedule/list/issue_times.hpp"

#include <algorithm>
#include <array>

#include "isa/analysis/unit_time.hpp"

namespace tandem::schedule {
namespace {

constexpr auto vmem = static_cast<std::size_t>(Unit::vmem);

class Machine {
 public:
  Machine(const DependenceGraph& graph, const std::vector<std::uint8_t>& unit,
          const std::vector<std::uint32_t>& occupies)
      : graph_(graph),
        unit_(unit),
        occupies_(occupies),
        left_(graph.predecessors),
        earliest_(graph.nodes()) {}

  // The bundle of these operations, after the previous ones. Returns its cycle.
  std::uint32_t issue(const std::vector<std::uint32_t>& nodes) {
    for (const std::uint32_t node : nodes) {
      cycle_ = std::max({cycle_, earliest_[node], free_[unit_[node]]});
    }
    for (const std::uint32_t node : nodes) occupy(node);
    free_[vmem] = vmem_next_;
    for (const std::uint32_t node : nodes) release(node, cycle_);
    return cycle_++;
  }
  [[nodiscard]] std::uint32_t next() const { return cycle_; }

 private:
  // A load and a store share their bundle: the store begins in the load's last cycle.
  void occupy(std::uint32_t node) {
    if (unit_[node] == vmem) {
      vmem_next_ = std::max(vmem_next_, cycle_ + 1) + occupies_[node] - 1;
    } else if (unit_[node] != 0) {
      free_[unit_[node]] = cycle_ + occupies_[node];
    }
  }

  void release(std::uint32_t node, std::uint32_t cycle) {
    for (const Dependence& edge : graph_.next[node]) {
      earliest_[edge.to] = std::max(earliest_[edge.to], cycle + edge.distance);
      const bool joins = --left_[edge.to] == 0 && edge.to >= graph_.operations;
      if (joins) release(edge.to, earliest_[edge.to]);
    }
  }

  const DependenceGraph& graph_;
  const std::vector<std::uint8_t>& unit_;
  const std::vector<std::uint32_t>& occupies_;
  std::vector<std::uint32_t> left_;      // predecessors that have not issued
  std::vector<std::uint32_t> earliest_;  // cycle
  std::array<std::uint32_t, unit_count> free_{};
  std::uint32_t vmem_next_ = 0;
  std::uint32_t cycle_ = 0;
};

}  // namespace

BundleNodes bundle_nodes(const std::vector<std::uint32_t>& bundle_of) {
  BundleNodes bundles;
  for (std::uint32_t node = 0; node < bundle_of.size(); ++node) {
    if (bundle_of[node] >= bundles.size()) bundles.resize(bundle_of[node] + 1);
    bundles[bundle_of[node]].push_back(node);
  }
  return bundles;
}

IssueClock::IssueClock(const LinearBlock& block, const Region& region, const DependenceGraph& graph)
    : graph_(graph) {
  for (std::uint32_t node = 0; node < graph.operations; ++node) {
    const Effects& effects = graph.effects[node];
    unit_.push_back(static_cast<std::uint8_t>(unit_of(effects)));
    occupies_.push_back(unit_cycles(effects, block.operations[region.first + node].operation));
  }
}

std::vector<std::uint32_t> IssueClock::times(const BundleNodes& bundles) const {
  Machine machine(graph_, unit_, occupies_);
  std::vector<std::uint32_t> result;
  result.reserve(bundles.size());
  for (const std::vector<std::uint32_t>& nodes : bundles) {
    result.push_back(nodes.empty() ? machine.next() : machine.issue(nodes));
  }
  return result;
}

std::uint32_t issue_cycles(const LinearBlock& block, const Region& region,
                           const DependenceGraph& graph,
                           const std::vector<std::uint32_t>& bundle_of) {
  const std::vector<std::uint32_t> times =
      IssueClock(block, region, graph).times(bundle_nodes(bundle_of));
  return times.empty() ? 0 : times.back() + 1;
}

}  // namespace tandem::schedule
