#include "schedule/issue_times.hpp"

#include <algorithm>
#include <array>

#include "isa/analysis/unit_time.hpp"

namespace tandem::schedule {
namespace {

class Machine {
 public:
  Machine(const LinearBlock& block, const Region& region, const DependenceGraph& graph)
      : block_(block),
        region_(region),
        graph_(graph),
        left_(graph.predecessors),
        earliest_(graph.nodes()) {}

  // The bundle of these operations, behind the ones before.
  void issue(const std::vector<std::uint32_t>& nodes) {
    for (const std::uint32_t node : nodes) {
      cycle_ = std::max({cycle_, earliest_[node], free_[unit(node)]});
    }
    for (const std::uint32_t node : nodes) occupy(node);
    free_[static_cast<std::size_t>(Unit::vmem)] = vmem_next_;
    for (const std::uint32_t node : nodes) release(node, cycle_);
    ++cycle_;
  }
  [[nodiscard]] std::uint32_t cycles() const { return cycle_; }

 private:
  [[nodiscard]] std::size_t unit(std::uint32_t node) const {
    return static_cast<std::size_t>(unit_of(graph_.effects[node]));
  }

  // A load and a store share their bundle: the store begins in the load's last cycle.
  void occupy(std::uint32_t node) {
    const std::uint32_t cycles =
        unit_cycles(graph_.effects[node], block_.operations[region_.first + node].operation);
    if (unit(node) == static_cast<std::size_t>(Unit::vmem)) {
      vmem_next_ = std::max(vmem_next_, cycle_ + 1) + cycles - 1;
    } else if (unit(node) != 0) {
      free_[unit(node)] = cycle_ + cycles;
    }
  }

  void release(std::uint32_t node, std::uint32_t cycle) {
    for (const Dependence& edge : graph_.next[node]) {
      earliest_[edge.to] = std::max(earliest_[edge.to], cycle + edge.distance);
      const bool joins = --left_[edge.to] == 0 && edge.to >= graph_.operations;
      if (joins) release(edge.to, earliest_[edge.to]);
    }
  }

  const LinearBlock& block_;
  const Region& region_;
  const DependenceGraph& graph_;
  std::vector<std::uint32_t> left_;      // predecessors that have not issued
  std::vector<std::uint32_t> earliest_;  // cycle
  std::array<std::uint32_t, unit_count> free_{};
  std::uint32_t vmem_next_ = 0;
  std::uint32_t cycle_ = 0;
};

}  // namespace

std::uint32_t issue_cycles(const LinearBlock& block, const Region& region,
                           const DependenceGraph& graph,
                           const std::vector<std::uint32_t>& bundle_of) {
  std::vector<std::vector<std::uint32_t>> bundles;
  for (std::uint32_t node = 0; node < graph.operations; ++node) {
    if (bundle_of[node] >= bundles.size()) bundles.resize(bundle_of[node] + 1);
    bundles[bundle_of[node]].push_back(node);
  }
  Machine machine(block, region, graph);
  for (const std::vector<std::uint32_t>& nodes : bundles) machine.issue(nodes);
  return machine.cycles();
}

}  // namespace tandem::schedule
