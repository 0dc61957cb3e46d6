// One region's operations into bundles, in the order of their urgency.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <queue>
#include <set>
#include <vector>

#include "isa/analysis/unit_time.hpp"
#include "schedule/list/dependence.hpp"
#include "schedule/list/issue_times.hpp"
#include "schedule/list/slack.hpp"
#include "schedule/program/bundle_slots.hpp"
#include "schedule/program/bundled.hpp"
#include "schedule/registers/pressure.hpp"

namespace tandem::schedule {

// Longest path from each node to the end of the region, in cycles.
inline std::vector<std::uint32_t> heights_of(const DependenceGraph& graph) {
  const std::vector<std::uint32_t> order = topological_order(graph);
  std::vector<std::uint32_t> heights(graph.nodes(), 0);
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const Dependence& edge : graph.next[order[i]]) {
      heights[order[i]] = std::max(heights[order[i]], edge.distance + heights[edge.to]);
    }
  }
  return heights;
}

// The earlier its latest cycle, the more urgent.
inline std::vector<std::uint32_t> urgency_of(const Slack& slack, const DependenceGraph& graph) {
  std::vector<std::uint32_t> urgency(graph.operations);
  for (std::uint32_t node = 0; node < graph.operations; ++node) urgency[node] = ~slack.latest[node];
  return urgency;
}

// Without slack: into the fewest cycles found, by the longest path to the end. With the slack of
// such a schedule: into its cycles, opening a bundle only for an operation that can wait no longer.
class RegionScheduler {
 public:
  RegionScheduler(const LinearBlock& block, const Region& region, const DependenceGraph& graph,
                  Pressure pressure, std::uint32_t window, const Slack* slack = nullptr,
                  bool gives_up = false)
      : block_(block),
        region_(region),
        graph_(graph),
        pressure_(std::move(pressure)),
        window_(window),
        slack_(slack),
        gives_up_(gives_up),
        urgency_(slack == nullptr ? heights_of(graph) : urgency_of(*slack, graph)),
        left_(graph.predecessors),
        earliest_(graph.nodes(), 0),
        placed_(graph.operations, false),
        bundle_of_(graph.operations) {
    if (slack == nullptr) return;
    std::copy(slack->earliest.begin(), slack->earliest.end(), earliest_.begin());
  }

  // Whether no operation came too late.
  bool run() {
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
      if (left_[node] == 0) become_free(node);
    }
    while (done_ < graph_.operations && !gave_up_) {
      admit();
      if (slack_ != nullptr && !opens_bundle()) {
        if (is_late_) return false;
        ++cycle_;
        continue;
      }
      holds_waits_ = !is_only_behind_wait();
      std::uint32_t placed = fill_bundle();
      holds_waits_ = true;
      if (placed == 0 && slack_ == nullptr && !something_soon()) {
        holds_waits_ = false;
        placed = fill_bundle();
        holds_waits_ = true;
      }
      done_ += placed;
      if (placed == 0) {
        advance();
        continue;
      }
      close();
      ++cycle_;
    }
    return !is_late_;
  }
  [[nodiscard]] std::uint32_t cycles() const { return cycle_; }
  // The bundle of each operation, counted from the region's first.
  [[nodiscard]] const std::vector<std::uint32_t>& bundle_of() const { return bundle_of_; }
  [[nodiscard]] std::uint32_t bundles() const { return bundles_; }
  // The other's schedule instead of its own.
  void take(const RegionScheduler& other) {
    result_ = other.result_;
    bundles_ = other.bundles_;
    cycle_ = other.cycle_;
    bundle_of_ = other.bundle_of_;
  }
  // The same operations in these bundles instead.
  void regroup(const std::vector<std::uint32_t>& bundle_of) {
    result_ = {};
    bundles_ = 0;
    bundle_of_ = bundle_of;
    for (const std::vector<std::uint32_t>& nodes : bundle_nodes(bundle_of)) {
      slots_.clear();
      for (const std::uint32_t node : nodes) slots_.take(node, group_of(node));
      close();
    }
  }
  // Whether registers ran out and the rest was left unscheduled.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  // The first that came too late.
  [[nodiscard]] std::uint32_t late_node() const { return late_node_; }
  void append_to(Bundled& result) const {
    for (std::uint32_t b = 0; b < bundles_; ++b) {
      const auto bundle = result_.bundle(b);
      result.operations.insert(result.operations.end(), bundle.begin(), bundle.end());
      result.close_bundle();
    }
  }

 private:
  using ByPriority = std::pair<std::uint32_t, std::uint32_t>;  // by height, then the earlier first
  using Queue = std::priority_queue<ByPriority>;
  static constexpr std::size_t queue_count = 32;

  // Operations that need the same slots and the same unit wait in one queue.
  [[nodiscard]] std::size_t queue_of(std::uint32_t node) const {
    const auto group = static_cast<std::size_t>(
        instruction(block_.operations[region_.first + node].operation.op).group);
    const auto unit = static_cast<std::size_t>(unit_of(graph_.effects[node]));
    return group * 2 + (unit == static_cast<std::size_t>(Unit::xlu) ||
                                unit == static_cast<std::size_t>(Unit::left_port) || is_wait(node)
                            ? 1
                            : 0);
  }
  [[nodiscard]] bool is_wait(std::uint32_t node) const {
    return node < graph_.operations &&
           block_.operations[region_.first + node].operation.op == Op::wait;
  }

  // A wait may hold its bundle for long, whatever else could be done. So it is placed when nothing
  // else can be, now or after the results that others wait for.
  [[nodiscard]] bool something_soon() const {
    constexpr std::uint32_t soon = 12;
    if (!waiting_.empty() && waiting_.top().first <= cycle_ + soon) return true;
    return std::any_of(ready_.begin(), ready_.end(),
                       [&](std::uint32_t node) { return !is_wait(node); });
  }

  // Whether a wait could come, and all that can be done before it, however late, is to read results
  // of the matrix unit that are less urgent: the unit would have nothing to do meanwhile, and the
  // reads find room beside what it does behind the wait. What finds no register, or is beyond the
  // window, cannot be done.
  [[nodiscard]] bool is_only_behind_wait() const {
    if (slack_ != nullptr || others_waiting_ != 0) return false;
    std::uint32_t most = 0;  // urgency of a wait
    bool waits = false;
    for (const std::uint32_t node : ready_) {
      if (!is_wait(node)) continue;
      most = std::max(most, urgency_[node]);
      waits = true;
    }
    return waits && std::all_of(ready_.begin(), ready_.end(), [&](std::uint32_t node) {
             return is_wait(node) || (leaves_unit(node) && urgency_[node] < most) ||
                    !pressure_.allows(node);
           });
  }
  // Reads of accumulators, and stores, which may be of these.
  [[nodiscard]] bool leaves_unit(std::uint32_t node) const {
    const Latency latency = graph_.effects[node].latency;
    return latency == Latency::acc_read || latency == Latency::store;
  }

  void note_late(std::uint32_t node) {
    if (!is_late_) late_node_ = node;
    is_late_ = true;
  }

  // Whether there is an operation that should not wait for another's bundle.
  bool opens_bundle() {
    bool opens = false;
    for (const std::uint32_t node : ready_) {
      if (slack_->latest[node] < cycle_) note_late(node);
      opens = opens || slack_->opens[node] <= cycle_;
    }
    return opens && !is_late_;
  }

  void become_free(std::uint32_t node) {
    if (node >= graph_.operations) return release(node, earliest_[node]);
    waiting_.emplace(earliest_[node], node);
    if (!leaves_unit(node)) ++others_waiting_;
  }

  // The operations that waited for the node may come from here on.
  void release(std::uint32_t node, std::uint32_t cycle) {
    for (const Dependence& edge : graph_.next[node]) {
      earliest_[edge.to] = std::max(earliest_[edge.to], cycle + edge.distance);
      if (--left_[edge.to] == 0) become_free(edge.to);
    }
  }

  void admit() {
    while (!waiting_.empty() && waiting_.top().first <= cycle_) {
      far_.insert(waiting_.top().second);
      if (!leaves_unit(waiting_.top().second)) --others_waiting_;
      waiting_.pop();
    }
    while (!far_.empty() && *far_.begin() < oldest_ + window_) {
      const std::uint32_t node = *far_.begin();
      far_.erase(far_.begin());
      ready_.insert(node);
      queues_[queue_of(node)].emplace(urgency_[node], ~node);
    }
  }

  std::uint32_t fill_bundle() {
    slots_.clear();
    std::uint32_t placed = 0;
    while (const auto node = choose()) {
      place(*node);
      ++placed;
      admit();
    }
    return placed;
  }

  // The most urgent operation that has a slot, a unit and room for its result.
  std::optional<std::uint32_t> choose() {
    std::size_t best = queue_count;
    for (std::size_t q = 0; q < queue_count; ++q) {
      Queue& queue = queues_[q];
      while (!queue.empty() && placed_[~queue.top().second]) queue.pop();
      if (queue.empty() || (best != queue_count && queue.top() < queues_[best].top())) continue;
      const std::uint32_t node = ~queue.top().second;
      if (holds_waits_ && slack_ == nullptr && is_wait(node)) continue;
      if (!unit_is_free(node) || !pressure_.allows(node) || !has_slot(node)) continue;
      best = q;
    }
    if (best == queue_count) return std::nullopt;
    const std::uint32_t node = ~queues_[best].top().second;
    queues_[best].pop();
    slots_.take(node, group_of(node));
    return node;
  }
  [[nodiscard]] Group group_of(std::uint32_t node) const {
    return instruction(block_.operations[region_.first + node].operation.op).group;
  }
  [[nodiscard]] bool has_slot(std::uint32_t node) const {
    BundleSlots copy = slots_;
    return copy.take(node, group_of(node));
  }
  [[nodiscard]] bool unit_is_free(std::uint32_t node) const {
    return busy_until_[static_cast<std::size_t>(unit_of(graph_.effects[node]))] <= cycle_;
  }

  void place(std::uint32_t node) {
    const Effects& effects = graph_.effects[node];
    const Operation& operation = block_.operations[region_.first + node].operation;
    const auto unit = static_cast<std::size_t>(unit_of(effects));
    // A load and a store share their bundle: the store begins in the load's last cycle.
    const std::uint32_t cycles = unit_cycles(effects, operation);
    if (unit == static_cast<std::size_t>(Unit::vmem)) {
      vmem_next_ = std::max(vmem_next_, cycle_ + 1) + cycles - 1;
    } else if (unit != 0) {
      busy_until_[unit] = cycle_ + cycles;
    }
    placed_[node] = true;
    ready_.erase(node);
    pressure_.place(node);
    bundle_of_[node] = bundles_;
    if (slack_ != nullptr && cycle_ > slack_->latest[node]) note_late(node);
    while (oldest_ < graph_.operations && placed_[oldest_]) ++oldest_;
    release(node, cycle_);
  }

  void close() {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      const auto owner = slots_.owner(static_cast<Slot>(slot));
      if (!owner) continue;
      result_.operations.push_back(
          {block_.operations[region_.first + *owner], static_cast<Slot>(slot)});
    }
    result_.close_bundle();
    ++bundles_;
    busy_until_[static_cast<std::size_t>(Unit::vmem)] = vmem_next_;
  }

  // Nothing fits in this cycle: go to the next in which something may.
  void advance() {
    std::uint32_t next = ~0U;
    if (!waiting_.empty()) next = waiting_.top().first;
    for (const std::uint32_t busy : busy_until_) {
      if (busy > cycle_) next = std::min(next, busy);
    }
    if (next != ~0U) {
      cycle_ = std::max(next, cycle_ + 1);
      return;
    }
    // Only for lack of registers: text order is known to fit, so follow it.
    slots_.clear();
    const std::uint32_t node = *ready_.begin();
    slots_.take(node, group_of(node));
    place(node);
    close();
    ++cycle_;
    ++done_;
    gave_up_ = gives_up_ && pressure_.is_over();
  }

  const LinearBlock& block_;
  const Region region_;
  const DependenceGraph& graph_;
  Pressure pressure_;
  std::uint32_t window_;
  const Slack* slack_;
  bool gives_up_;
  bool gave_up_ = false;
  Bundled result_;
  std::vector<std::uint32_t> urgency_;   // heights, or of slack
  std::vector<std::uint32_t> left_;      // predecessors that are not placed
  std::vector<std::uint32_t> earliest_;  // cycle
  std::vector<bool> placed_;
  std::priority_queue<ByPriority, std::vector<ByPriority>, std::greater<>> waiting_;  // by cycle
  std::uint32_t others_waiting_ = 0;  // except reads of accumulators and stores
  std::set<std::uint32_t> far_;       // free, perhaps beyond the window
  std::set<std::uint32_t> ready_;     // in a queue
  std::array<Queue, queue_count> queues_;
  std::array<std::uint32_t, unit_count> busy_until_{};
  std::uint32_t vmem_next_ = 0;
  BundleSlots slots_;
  std::uint32_t cycle_ = 0;
  std::uint32_t bundles_ = 0;
  std::uint32_t done_ = 0;  // operations placed
  std::uint32_t oldest_ = 0;
  bool holds_waits_ = true;
  bool is_late_ = false;
  std::uint32_t late_node_ = 0;
  std::vector<std::uint32_t> bundle_of_;
};

}  // namespace tandem::schedule
