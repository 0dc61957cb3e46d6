#include "schedule/list/slack.hpp"

#include <algorithm>
#include <limits>

namespace tandem::schedule {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

// The last cycle before the next wait after this one.
std::uint32_t before_wait(const std::vector<std::uint32_t>& waits, std::uint32_t cycle) {
  const auto next = std::upper_bound(waits.begin(), waits.end(), cycle);
  return next == waits.end() ? never : *next - 1;
}

// Whether nothing may delay it: operations outside the region wait for it.
bool keeps_its_cycle(const LinearOperation& item, const Effects& effects, const PressureMap& map) {
  if (effects.uses_flags() || effects.multiplies) return true;
  if (!effects.writes) return false;
  const VirtualId id = item.registers[effects.write.place];
  return id != no_virtual && !map.is_local(id);
}

}  // namespace

Slack slack_of(const LinearBlock& block, const Region& region, const DependenceGraph& graph,
               const PressureMap& map, const std::vector<std::uint32_t>& cycles) {
  Slack slack;
  slack.earliest.assign(graph.operations, 0);
  slack.latest.assign(graph.nodes(), never);
  slack.fixed.assign(graph.operations, false);
  std::vector<std::uint32_t> waits;
  std::uint32_t last_swap = 0;
  for (std::uint32_t node = 0; node < graph.operations; ++node) {
    if (graph.effects[node].swaps) last_swap = node;
    if (!graph.effects[node].waits()) continue;
    waits.push_back(cycles[node]);
    slack.earliest[node] = cycles[node];
  }
  std::sort(waits.begin(), waits.end());
  const std::vector<std::uint32_t> order = topological_order(graph);
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t node = order[i];
    std::uint32_t& latest = slack.latest[node];
    for (const Dependence& edge : graph.next[node]) {
      const std::uint32_t end = slack.latest[edge.to];
      if (end != never) latest = std::min(latest, end - std::min(end, edge.distance));
    }
    if (node >= graph.operations) continue;
    const LinearOperation& item = block.operations[region.first + node];
    const Effects& effects = graph.effects[node];
    const bool pushes_for_others = effects.pushes && node > last_swap;
    slack.fixed[node] = latest == never || pushes_for_others || keeps_its_cycle(item, effects, map);
    if (slack.fixed[node]) latest = cycles[node];
    latest = std::max(cycles[node], std::min(latest, before_wait(waits, cycles[node])));
  }
  slack.opens = slack.latest;
  return slack;
}

void Slack::open_earlier(std::uint32_t late) {
  constexpr std::uint32_t about = 24;  // cycles
  constexpr std::uint32_t step = 3;
  const std::uint32_t end = latest[late];
  for (std::uint32_t node = 0; node < opens.size(); ++node) {
    if (latest[node] > end || latest[node] + about < end) continue;
    opens[node] -= std::min(opens[node], step);
  }
}

}  // namespace tandem::schedule
