#include "schedule/loops/tight_rounds.hpp"

#include <algorithm>
#include <limits>

namespace tandem::schedule {
namespace {

struct Step {
  std::uint32_t to = 0;
  std::uint32_t lost = 0;
};

constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();

// No edge is longer than the difference of the heights of its ends, so its shortfall is never
// negative, and the shortfalls around a cycle add up to the cycle's slack. Only nodes within
// `slack` of the start matter: a small part even of a large loop.
class TightRounds {
 public:
  TightRounds(const LoopGraph& graph, std::uint32_t interval,
              const std::vector<std::int64_t>& heights, std::uint32_t slack, Work& work)
      : work_(work),
        steps_(graph.operations()),
        nearest_(graph.operations(), unseen),
        reached_(slack + 1) {
    for (const LoopEdge& edge : graph.edges) {
      const std::int64_t lost = heights[edge.from] - heights[edge.to] - edge.distance +
                                std::int64_t{interval} * edge.omega;
      if (lost > slack) continue;
      steps_[edge.from].push_back({edge.to, static_cast<std::uint32_t>(lost)});
    }
    drop_dead_ends();
  }

  // Dijkstra's search, one list of nodes for each distance.
  bool comes_back(std::uint32_t start) {
    bool found = false;
    reached_[0].push_back(start);
    for (std::uint32_t lost = 0; lost < reached_.size() && !found; ++lost) {
      for (std::size_t i = 0; i < reached_[lost].size() && !found; ++i) {
        found = advance(reached_[lost][i], lost, start);
      }
    }
    for (auto& nodes : reached_) {
      for (const std::uint32_t node : nodes) nearest_[node] = unseen;
      nodes.clear();
    }
    return found;
  }

 private:
  // Nodes that are on no cycle: most of a loop, and its long chains.
  void drop_dead_ends() {
    std::vector<std::vector<std::uint32_t>> before(steps_.size());
    std::vector<std::size_t> left(steps_.size());
    std::vector<std::uint32_t> dead;
    for (std::uint32_t node = 0; node < steps_.size(); ++node) {
      left[node] = steps_[node].size();
      if (left[node] == 0) dead.push_back(node);
      for (const Step& step : steps_[node]) before[step.to].push_back(node);
    }
    for (std::size_t i = 0; i < dead.size(); ++i) {
      for (const std::uint32_t node : before[dead[i]]) {
        if (--left[node] == 0) dead.push_back(node);
      }
    }
    for (std::vector<Step>& steps : steps_) {
      steps.erase(std::remove_if(steps.begin(), steps.end(),
                                 [&](const Step& step) { return left[step.to] == 0; }),
                  steps.end());
    }
  }

  bool advance(std::uint32_t node, std::uint32_t lost, std::uint32_t start) {
    if (nearest_[node] < lost) return false;  // was also reached on a shorter path
    work_.spend(steps_[node].size());
    for (const Step& step : steps_[node]) {
      const std::uint32_t sum = lost + step.lost;
      if (sum >= reached_.size()) continue;
      if (step.to == start) return true;
      if (sum >= nearest_[step.to]) continue;
      nearest_[step.to] = sum;
      reached_[sum].push_back(step.to);
    }
    return false;
  }

  Work& work_;
  std::vector<std::vector<Step>> steps_;             // by operation
  std::vector<std::uint32_t> nearest_;               // by operation, in the current search
  std::vector<std::vector<std::uint32_t>> reached_;  // by distance
};

}  // namespace

std::vector<bool> on_tight_rounds(const LoopGraph& graph, std::uint32_t interval,
                                  const std::vector<std::int64_t>& heights, std::uint32_t slack,
                                  Work& work) {
  TightRounds rounds(graph, interval, heights, slack, work);
  std::vector<bool> tight(graph.operations());
  for (std::uint32_t i = 0; i < graph.operations(); ++i) tight[i] = rounds.comes_back(i);
  return tight;
}

}  // namespace tandem::schedule
