#include "schedule/loops/bounds.hpp"

#include <algorithm>
#include <array>

#include "isa/analysis/unit_time.hpp"

namespace tandem::schedule {

bool relax_heights(const LoopGraph& graph, std::uint32_t interval,
                   std::vector<std::int64_t>& heights) {
  heights.assign(graph.operations(), 0);
  for (std::uint32_t round = 0; round <= graph.operations(); ++round) {
    bool changed = false;
    for (const LoopEdge& edge : graph.edges) {
      const std::int64_t length =
          heights[edge.to] + edge.distance - std::int64_t{interval} * edge.omega;
      if (length <= heights[edge.from]) continue;
      heights[edge.from] = length;
      changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

std::vector<std::int64_t> latest_times(const LoopGraph& graph, std::uint32_t interval,
                                       std::uint32_t ahead) {
  std::vector<std::int64_t> latest(graph.operations(), far_away);
  latest[graph.branch()] = std::int64_t{interval} * (ahead + 1) - 1;
  // Paths without a cycle have fewer edges; a cycle too slow for the interval ends here.
  bool changed = true;
  for (std::uint32_t round = 0; changed && round <= graph.operations(); ++round) {
    changed = false;
    for (const LoopEdge& edge : graph.edges) {
      if (latest[edge.to] == far_away) continue;
      const std::int64_t time =
          latest[edge.to] + std::int64_t{interval} * edge.omega - edge.distance;
      if (time >= latest[edge.from]) continue;
      latest[edge.from] = time;
      changed = true;
    }
  }
  return latest;
}

std::int64_t first_time(const LoopGraph& graph, std::uint32_t node, std::uint32_t interval,
                        std::uint32_t ahead) {
  return graph.harmless[node] ? 0 : std::int64_t{interval} * ahead;
}

namespace {

struct Share {
  std::string_view name;
  std::uint32_t cycles = 0;
  std::uint32_t width = 1;
};
enum : std::size_t { scalars, control, smem, vector, load, store, matrix, cross, copies, units };

// The shares that an operation takes a slot of.
std::array<bool, units> counts_of(Group group) {
  const bool scalar = group == Group::scalar || group == Group::control || group == Group::smem;
  return {scalar,
          group == Group::control,
          group == Group::smem,
          group == Group::valu,
          group == Group::load,
          group == Group::store,
          group == Group::matrix,
          group == Group::cross,
          group == Group::dma};
}

// The bound by slots and units.
LoopBounds resource_bounds(const LinearBlock& block, const LoopGraph& graph) {
  std::array<Share, units + unit_count> shares{{{"scalar slots", 0, 2},
                                                {"slot sa"},
                                                {"slot sb"},
                                                {"vector slots", 0, 2},
                                                {"slot ld"},
                                                {"slot st"},
                                                {"slot mx"},
                                                {"slot xu"},
                                                {"slot dma"},
                                                {"none"},
                                                {"VMEM"},
                                                {"EUP"},
                                                {"XLU"},
                                                {"push port"},
                                                {"left port"}}};
  for (std::uint32_t i = 0; i < graph.operations(); ++i) {
    const Operation& operation = block.operations[graph.region.first + i].operation;
    const Effects& effects = graph.effects[i];
    const Group group = instruction(operation.op).group;
    for (std::size_t s = 0; s < units; ++s) {
      if (counts_of(group)[s]) ++shares[s].cycles;
    }
    const Unit unit = unit_of(effects);
    const std::uint32_t cycles = unit_cycles(effects, operation);
    if (unit != Unit::none && (unit != Unit::vmem || cycles > 1)) {
      shares[units + static_cast<std::size_t>(unit)].cycles += cycles;
    }
  }
  LoopBounds bounds;
  for (const Share& share : shares) {
    const std::uint32_t need = (share.cycles + share.width - 1) / share.width;
    if (need <= bounds.resources && !bounds.busiest.empty()) continue;
    if (share.name == "none") continue;
    bounds.resources = std::max(bounds.resources, need);
    bounds.busiest = share.name;
  }
  return bounds;
}

// Whether every operation that the branch waits for can be in time for it.
bool in_time(const LoopGraph& graph, std::uint32_t interval, std::uint32_t ahead) {
  const std::vector<std::int64_t> latest = latest_times(graph, interval, ahead);
  for (std::uint32_t i = 0; i < graph.operations(); ++i) {
    if (latest[i] < first_time(graph, i, interval, ahead)) return false;
  }
  return true;
}

// A cyclic path that takes longer than its iterations allow; empty when there is none.
std::vector<std::uint32_t> positive_round(const LoopGraph& graph, std::uint32_t interval) {
  std::vector<std::int64_t> longest(graph.operations(), 0);
  std::vector<std::uint32_t> before(graph.operations(), graph.operations());
  std::uint32_t changed = graph.operations();
  for (std::uint32_t round = 0; round <= graph.operations(); ++round) {
    changed = graph.operations();
    for (const LoopEdge& edge : graph.edges) {
      const std::int64_t length =
          longest[edge.from] + edge.distance - std::int64_t{interval} * edge.omega;
      if (length <= longest[edge.to]) continue;
      longest[edge.to] = length;
      before[edge.to] = edge.from;
      changed = edge.to;
    }
    if (changed == graph.operations()) return {};
  }
  std::uint32_t at = changed;
  for (std::uint32_t i = 0; i < graph.operations(); ++i) at = before[at];  // onto the cycle
  std::vector<std::uint32_t> found;
  for (std::uint32_t node = at;;) {
    found.push_back(node);
    node = before[node];
    if (node == at) return found;
  }
}

// The path from the first operation that would be late to the branch.
std::vector<std::uint32_t> late_way(const LoopGraph& graph, std::uint32_t interval,
                                    std::uint32_t ahead) {
  const std::vector<std::int64_t> latest = latest_times(graph, interval, ahead);
  std::uint32_t node = 0;
  for (std::uint32_t i = 0; i < graph.operations(); ++i) {
    const auto slack = [&](std::uint32_t n) {
      return latest[n] - first_time(graph, n, interval, ahead);
    };
    if (slack(i) < slack(node)) node = i;
  }
  std::vector<std::uint32_t> found{node};
  while (node != graph.branch() && found.size() <= graph.operations()) {
    const auto next =
        std::find_if(graph.edges.begin(), graph.edges.end(), [&](const LoopEdge& edge) {
          return edge.from == node && latest[edge.to] != far_away &&
                 latest[edge.to] + std::int64_t{interval} * edge.omega - edge.distance ==
                     latest[node];
        });
    if (next == graph.edges.end()) break;
    node = next->to;
    found.push_back(node);
  }
  return found;
}

}  // namespace

LoopBounds bounds_of(const LinearBlock& block, const LoopGraph& graph, std::uint32_t ahead) {
  LoopBounds bounds = resource_bounds(block, graph);
  // The branch is in the last row of an iteration: the operations that it waits for have to fit
  // before it.
  const auto possible = [&](std::uint32_t interval) {
    std::vector<std::int64_t> heights;
    return relax_heights(graph, interval, heights) && in_time(graph, interval, ahead);
  };
  // If an interval is possible, so are longer ones; with the sum of all edges, everything is.
  std::uint32_t high = 1;
  std::uint32_t most = 1;
  for (const LoopEdge& edge : graph.edges) most += edge.distance;
  while (high < most && !possible(high)) high *= 2;
  std::uint32_t low = high / 2;  // not possible
  while (low + 1 < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    (possible(middle) ? high : low) = middle;
  }
  bounds.recurrence = std::max(1U, high);
  return bounds;
}

std::vector<std::uint32_t> slowest_round(const LoopGraph& graph, const LoopBounds& bounds,
                                         std::uint32_t ahead) {
  if (bounds.recurrence <= 1) return {};
  std::vector<std::uint32_t> found = positive_round(graph, bounds.recurrence - 1);
  if (found.empty()) found = late_way(graph, bounds.recurrence - 1, ahead);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace tandem::schedule
