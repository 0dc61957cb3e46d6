#include "schedule/list/merge_bundles.hpp"

#include <algorithm>
#include <limits>

#include "schedule/program/bundle_slots.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t most_operations = 3;     // of a bundle that is tried
constexpr std::uint32_t reach = 32;            // bundles that an operation moves at most
constexpr std::uint32_t trials = 8;            // schedules that are tried for one bundle
constexpr std::uint64_t most_steps = 1000000;  // operations issued in all trials of a region

class Merger {
 public:
  Merger(const LinearBlock& block, const Region& region, const DependenceGraph& graph,
         const IssueClock& clock, const Slack& slack, const Pressure* room,
         const std::vector<std::uint32_t>& bundle_of)
      : block_(block),
        region_(region),
        graph_(graph),
        slack_(slack),
        room_(room),
        clock_(clock),
        order_(topological_order(graph)),
        bundle_of_(bundle_of),
        bundles_(bundle_nodes(bundle_of)),
        times_(clock_.times(bundles_)) {
    find_windows();
  }

  std::vector<std::uint32_t> run() {
    for (bool merges = true; merges;) {
      merges = false;
      for (std::uint32_t b = 0; b < bundles_.size(); ++b) merges = empty(b) || merges;
    }
    return renumbered();
  }

 private:
  [[nodiscard]] bool is_fixed(std::uint32_t node) const { return slack_.fixed[node]; }

  // Whether all operations of the bundle have moved to others.
  bool empty(std::uint32_t bundle) {
    const std::vector<std::uint32_t> nodes = bundles_[bundle];
    if (nodes.empty() || nodes.size() > most_operations) return false;
    if (std::any_of(nodes.begin(), nodes.end(),
                    [this](std::uint32_t node) { return is_fixed(node); })) {
      return false;
    }
    left_ = trials;
    if (place(nodes, 0)) return true;
    left_ = trials;
    return nodes.size() == 1 && displace(nodes.front());
  }

  bool place(const std::vector<std::uint32_t>& nodes, std::size_t first) {
    if (first == nodes.size()) return takes_no_longer();
    const std::uint32_t node = nodes[first];
    const std::uint32_t from = bundle_of_[node];
    for (const std::uint32_t to : places_of(node)) {
      if (left_ == 0) return false;
      move(node, to);
      if (place(nodes, first + 1)) return true;
      move(node, from);
    }
    return false;
  }

  // The same for one operation, taking the place of another, which moves to yet another bundle.
  bool displace(std::uint32_t node) {
    const std::uint32_t from = bundle_of_[node];
    for (const std::uint32_t to : window_of(node)) {
      const std::vector<std::uint32_t> there = bundles_[to];
      for (const std::uint32_t other : there) {
        if (is_fixed(other) || group_of(other) != group_of(node)) continue;
        for (const std::uint32_t place : places_of(other)) {
          if (left_ == 0) return false;
          if (place == from) continue;
          move(other, place);
          move(node, to);
          if (takes_no_longer()) return true;
          move(node, from);
          move(other, to);
        }
      }
    }
    return false;
  }

  // Bundles in which its operands have arrived and nothing waits for it yet, except its own; later
  // ones first.
  [[nodiscard]] std::vector<std::uint32_t> window_of(std::uint32_t node) const {
    std::vector<std::uint32_t> result;
    const std::uint32_t from = bundle_of_[node];
    const auto end = static_cast<std::uint32_t>(bundles_.size());
    for (std::uint32_t to = from + 1; to < std::min(end, from + reach); ++to) {
      if (times_[to] > latest_[node] || waits(to)) break;
      if (!bundles_[to].empty()) result.push_back(to);
    }
    for (std::uint32_t to = from; to-- > from - std::min(from, reach);) {
      if (times_[to] < earliest_[node]) break;
      if (!bundles_[to].empty()) result.push_back(to);
    }
    return result;
  }
  // Of these, those that have a slot for it.
  [[nodiscard]] std::vector<std::uint32_t> places_of(std::uint32_t node) const {
    std::vector<std::uint32_t> result = window_of(node);
    std::erase_if(result, [&](std::uint32_t to) { return !has_slot(node, to); });
    return result;
  }
  [[nodiscard]] bool waits(std::uint32_t bundle) const {
    return std::any_of(bundles_[bundle].begin(), bundles_[bundle].end(),
                       [this](std::uint32_t node) { return graph_.effects[node].waits(); });
  }
  [[nodiscard]] Group group_of(std::uint32_t node) const {
    return instruction(block_.operations[region_.first + node].operation.op).group;
  }
  [[nodiscard]] bool has_slot(std::uint32_t node, std::uint32_t bundle) const {
    std::vector<std::uint32_t> nodes = bundles_[bundle];
    nodes.insert(std::upper_bound(nodes.begin(), nodes.end(), node), node);
    BundleSlots slots;
    return std::all_of(nodes.begin(), nodes.end(),
                       [&](std::uint32_t each) { return slots.take(each, group_of(each)); });
  }

  void move(std::uint32_t node, std::uint32_t to) {
    std::erase(bundles_[bundle_of_[node]], node);
    std::vector<std::uint32_t>& nodes = bundles_[to];  // ascending
    nodes.insert(std::upper_bound(nodes.begin(), nodes.end(), node), node);
    bundle_of_[node] = to;
  }

  bool takes_no_longer() {
    if (steps_ >= most_steps) left_ = 0;
    if (left_ == 0) return false;
    --left_;
    steps_ += graph_.operations;
    std::vector<std::uint32_t> times = clock_.times(bundles_);
    if (times.back() > times_.back()) return false;
    for (std::uint32_t node = 0; node < graph_.operations; ++node) {
      if (is_fixed(node) && times[bundle_of_[node]] > times_[bundle_of_[node]]) return false;
    }
    if (!keeps_order() || !has_room()) return false;
    times_ = std::move(times);
    steps_ += graph_.operations;
    find_windows();
    return true;
  }

  // Whether its values have registers, if that is checked.
  bool has_room() {
    if (room_ == nullptr) return true;
    steps_ += graph_.operations;
    Pressure pressure = *room_;
    for (std::vector<std::uint32_t> nodes : bundles_) {
      while (!nodes.empty()) {
        const auto next = std::find_if(nodes.begin(), nodes.end(),
                                       [&](std::uint32_t node) { return pressure.allows(node); });
        if (next == nodes.end()) return false;
        pressure.place(*next);
        nodes.erase(next);
      }
    }
    return true;
  }

  // Windows are computed for single operations: when two have moved, one may have passed the other.
  [[nodiscard]] bool keeps_order() const {
    std::vector<std::uint32_t> first(graph_.nodes(), 0);  // bundle in which it may be
    for (const std::uint32_t node : order_) {
      const std::uint32_t at = is_join(node) ? first[node] : bundle_of_[node];
      if (at < first[node]) return false;
      for (const Dependence& edge : graph_.next[node]) {
        first[edge.to] = std::max(first[edge.to], at + (edge.distance == 0 ? 0 : 1));
      }
    }
    return true;
  }

  // Where each operation may be placed if all others stay.
  void find_windows() {
    earliest_.assign(graph_.nodes(), 0);
    latest_.assign(graph_.nodes(), never);
    for (const std::uint32_t node : order_) {
      for (const Dependence& edge : graph_.next[node]) {
        const std::uint32_t from = is_join(node) ? earliest_[node] : time_of(node);
        earliest_[edge.to] = std::max(earliest_[edge.to], from + edge.distance);
      }
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      std::uint32_t& latest = latest_[order_[i]];
      for (const Dependence& edge : graph_.next[order_[i]]) {
        const std::uint32_t end = is_join(edge.to) ? latest_[edge.to] : time_of(edge.to);
        if (end != never) latest = std::min(latest, end - std::min(end, edge.distance));
      }
    }
  }
  [[nodiscard]] bool is_join(std::uint32_t node) const { return node >= graph_.operations; }
  [[nodiscard]] std::uint32_t time_of(std::uint32_t node) const { return times_[bundle_of_[node]]; }

  [[nodiscard]] std::vector<std::uint32_t> renumbered() const {
    std::vector<std::uint32_t> number;
    std::uint32_t count = 0;
    for (const std::vector<std::uint32_t>& nodes : bundles_) {
      number.push_back(count);
      if (!nodes.empty()) ++count;
    }
    std::vector<std::uint32_t> result;
    result.reserve(bundle_of_.size());
    for (const std::uint32_t bundle : bundle_of_) result.push_back(number[bundle]);
    return result;
  }

  const LinearBlock& block_;
  const Region& region_;
  const DependenceGraph& graph_;
  const Slack& slack_;
  const Pressure* room_;
  const IssueClock& clock_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> bundle_of_;
  BundleNodes bundles_;  // empty when absent
  std::vector<std::uint32_t> times_;
  std::vector<std::uint32_t> earliest_;  // cycle, of each operation if all others stay
  std::vector<std::uint32_t> latest_;
  std::uint32_t left_ = 0;  // trials of this bundle
  std::uint64_t steps_ = 0;
};

}  // namespace

std::vector<std::uint32_t> merged_bundles(const LinearBlock& block, const Region& region,
                                          const DependenceGraph& graph, const IssueClock& clock,
                                          const Slack& slack, const Pressure* room,
                                          const std::vector<std::uint32_t>& bundle_of) {
  return Merger(block, region, graph, clock, slack, room, bundle_of).run();
}

}  // namespace tandem::schedule
