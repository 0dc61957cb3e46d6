#include "schedule/loops/modulo.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "schedule/loops/bounds.hpp"
#include "schedule/loops/need.hpp"
#include "schedule/loops/tight_rounds.hpp"

namespace tandem::schedule {
namespace {

class Table {
 public:
  Table(std::uint32_t interval) : rows_(interval) {}

  // The slot for an operation at a time, if nothing is in the way.
  [[nodiscard]] std::optional<Slot> fits(const Need& need, std::uint32_t time) const {
    const auto slot = free_slot(need.group, row(time));
    return slot && is_unit_free(need, time) ? slot : std::nullopt;
  }
  // Those that would have to be removed, at least one if the slots are full.
  [[nodiscard]] std::set<std::uint32_t> blockers(const Need& need, std::uint32_t time) const {
    std::set<std::uint32_t> found;
    if (!free_slot(need.group, row(time))) found.insert(row(time).slots[first_slot(need.group)]);
    if (need.unit == Unit::none || (need.unit == Unit::vmem && need.cycles == 1)) {
      if (need.unit == Unit::vmem)
        add(found, row(time).units[static_cast<std::size_t>(Unit::vmem)]);
      return found;
    }
    for (std::uint32_t i = 0; i < need.cycles; ++i) {
      const Row& at = row(time + i);
      add(found, at.units[static_cast<std::size_t>(need.unit)]);
      if (need.unit != Unit::vmem) continue;
      add(found, at.slots[static_cast<std::size_t>(Slot::ld)]);
      add(found, at.slots[static_cast<std::size_t>(Slot::st)]);
    }
    return found;
  }
  void put(std::uint32_t node, const Need& need, std::uint32_t time, Slot slot) {
    row(time).slots[static_cast<std::size_t>(slot)] = node;
    mark(need, time, node);
  }
  void remove(const Need& need, std::uint32_t time, Slot slot) {
    row(time).slots[static_cast<std::size_t>(slot)] = nobody;
    mark(need, time, nobody);
  }

 private:
  [[nodiscard]] bool is_unit_free(const Need& need, std::uint32_t time) const {
    const auto unit = static_cast<std::size_t>(need.unit);
    if (need.unit == Unit::none) return true;
    if (need.unit == Unit::vmem && need.cycles == 1) return row(time).units[unit] == nobody;
    for (std::uint32_t i = 0; i < need.cycles; ++i) {
      const Row& at = row(time + i);
      if (at.units[unit] != nobody) return false;
      if (need.unit != Unit::vmem) continue;
      if (at.slots[static_cast<std::size_t>(Slot::ld)] != nobody) return false;
      if (at.slots[static_cast<std::size_t>(Slot::st)] != nobody) return false;
    }
    return true;
  }
  static constexpr std::uint32_t nobody = ~0U;
  struct Row {
    std::array<std::uint32_t, slot_count> slots;
    std::array<std::uint32_t, unit_count> units;
    Row() {
      slots.fill(nobody);
      units.fill(nobody);
    }
  };

  [[nodiscard]] const Row& row(std::uint32_t time) const { return rows_[time % rows_.size()]; }
  [[nodiscard]] Row& row(std::uint32_t time) { return rows_[time % rows_.size()]; }
  static void add(std::set<std::uint32_t>& found, std::uint32_t node) {
    if (node != nobody) found.insert(node);
  }
  static std::size_t first_slot(Group group) {
    std::size_t slot = slot_count;
    while (!slot_accepts(static_cast<Slot>(slot - 1), group)) --slot;
    return slot - 1;  // the last: sb before sa, where the branch is
  }
  static std::optional<Slot> free_slot(Group group, const Row& row) {
    for (std::size_t slot = slot_count; slot-- > 0;) {
      if (!slot_accepts(static_cast<Slot>(slot), group) || row.slots[slot] != nobody) continue;
      return static_cast<Slot>(slot);
    }
    return std::nullopt;
  }
  // A single access to VMEM is determined by its slot; longer ones lock out all others.
  void mark(const Need& need, std::uint32_t time, std::uint32_t node) {
    if (need.unit == Unit::none || (need.unit == Unit::vmem && need.cycles == 1)) return;
    for (std::uint32_t i = 0; i < need.cycles; ++i) {
      row(time + i).units[static_cast<std::size_t>(need.unit)] = node;
    }
  }

  std::vector<Row> rows_;
};

// Rau's iterative modulo scheduling: the most urgent first. If an operation finds no place, those
// in its way are removed and placed again.
class Scheduler {
 public:
  Scheduler(const LinearBlock& block, const LoopGraph& graph, std::uint32_t interval,
            std::uint32_t ahead, std::uint32_t delay, Lives lives, Work& work)
      : graph_(graph),
        work_(work),
        interval_(interval),
        ahead_(ahead),
        delay_(delay),
        lives_(lives),
        table_(interval) {
    for (std::uint32_t i = 0; i < graph.operations(); ++i) {
      const Operation& operation = block.operations[graph.region.first + i].operation;
      const Effects& effects = graph.effects[i];
      needs_.push_back(need_of(operation, effects));
    }
  }

  std::optional<ModuloSchedule> run() {
    if (!relax_heights(graph_, interval_, heights_)) return std::nullopt;
    for (const Need& need : needs_) {
      if (need.unit != Unit::none && need.cycles > interval_) return std::nullopt;
    }
    latest_ = latest_times(graph_, interval_, ahead_);
    times_.assign(graph_.operations(), -1);
    last_.assign(graph_.operations(), -1);
    slots_.assign(graph_.operations(), Slot::sa);
    into_.resize(graph_.operations());
    from_.resize(graph_.operations());
    for (const LoopEdge& edge : graph_.edges) {
      into_[edge.to].push_back(edge);
      from_[edge.from].push_back(edge);
    }
    if (delay_ != 0) find_bound();
    put(graph_.branch(), std::int64_t{interval_} * (ahead_ + 1) - 1, Slot::sa);
    for (std::uint32_t i = 0; i < graph_.operations(); ++i) {
      if (i != graph_.branch()) waiting_.insert({urgency(i), i});
    }
    for (std::uint32_t budget = 12 * graph_.operations() + 50; !waiting_.empty(); --budget) {
      if (budget == 0 || work_.is_spent() || !place_next()) return std::nullopt;
    }
    const std::int64_t last = *std::max_element(times_.begin(), times_.end());
    end_ = (last / interval_ + 1) * interval_ - 1;  // no stage more
    if (lives_ != Lives::any) shorten();
    wait_late();
    return finished();
  }

 private:
  // Operations on a cycle that takes about an interval leave no choice once the first of them is
  // placed: they begin later, so that their operands find a place before them. Those that the
  // branch waits for cannot.
  void find_bound() {
    constexpr std::uint32_t slack = 3;
    bound_ = on_tight_rounds(graph_, interval_, heights_, slack, work_);
    for (std::uint32_t i = 0; i < graph_.operations(); ++i) {
      if (i == graph_.branch() || latest_[i] != far_away) bound_[i] = false;
    }
  }

  // The sum of the lifetimes of the values that an operation writes or reads; squared if one long
  // lifetime is worse than two of half the length.
  [[nodiscard]] std::int64_t lives_around(std::uint32_t node) const {
    std::int64_t sum = 0;
    for (const std::uint32_t number : values_of_[node]) {
      const LoopValue& value = graph_.values[number];
      std::int64_t longest = 0;
      for (const std::uint32_t reader : value.readers) {
        const std::int64_t later = reader > value.writer ? 0 : interval_;
        longest = std::max(longest, times_[reader] + later - times_[value.writer]);
      }
      sum += lives_ == Lives::shared ? longest * longest : longest;
    }
    return sum;
  }

  // Operations move, within the limits of their neighbours, to where lifetimes are shorter.
  void shorten() {
    values_of_.resize(graph_.operations());
    for (std::uint32_t v = 0; v < graph_.values.size(); ++v) {
      values_of_[graph_.values[v].writer].push_back(v);
      for (const std::uint32_t reader : graph_.values[v].readers) {
        if (reader != graph_.values[v].writer) values_of_[reader].push_back(v);
      }
    }
    constexpr int rounds = 4;
    for (int round = 0; round < rounds; ++round) {
      bool moved = false;
      for (std::uint32_t i = graph_.operations(); i-- > 0;) {
        if (i != graph_.branch()) moved = move_closer(i) || moved;
      }
      if (!moved) return;
    }
  }
  bool move_closer(std::uint32_t node) {
    const std::int64_t before = times_[node];
    const Slot slot_before = slots_[node];
    const std::int64_t earliest = std::max(earliest_of(node), before - interval_);
    std::int64_t best = lives_around(node);
    std::int64_t best_time = before;
    table_.remove(needs_[node], static_cast<std::uint32_t>(before), slot_before);
    const std::int64_t end = std::min(latest_[node], end_);
    for (std::int64_t time = earliest; time <= end; ++time) {
      work_.spend(1 + from_[node].size());
      if (!meets_placed_readers(node, time)) break;
      times_[node] = time;
      const std::int64_t cost = lives_around(node);
      if (cost >= best || !table_.fits(needs_[node], static_cast<std::uint32_t>(time))) continue;
      best = cost;
      best_time = time;
    }
    times_[node] = best_time;
    const auto slot = table_.fits(needs_[node], static_cast<std::uint32_t>(best_time));
    put(node, best_time, slot.value_or(slot_before));
    return best_time != before;
  }

  // A wait may hold its bundle for long, whatever else could be done meanwhile: it is placed as
  // late as its successors allow, and so is the reset of its flag.
  void wait_late() {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < graph_.operations(); ++i) {
      if (graph_.effects[i].uses_flags() && !graph_.effects[i].copies()) nodes.push_back(i);
    }
    std::sort(nodes.begin(), nodes.end(),
              [this](std::uint32_t a, std::uint32_t b) { return times_[a] > times_[b]; });
    for (const std::uint32_t node : nodes) move_late(node);
  }
  void move_late(std::uint32_t node) {
    const std::int64_t before = times_[node];
    const Slot slot_before = slots_[node];
    table_.remove(needs_[node], static_cast<std::uint32_t>(before), slot_before);
    for (std::int64_t time = std::min(latest_[node], end_); time > before; --time) {
      work_.spend(1 + from_[node].size());
      if (!meets_placed_readers(node, time)) continue;
      const auto slot = table_.fits(needs_[node], static_cast<std::uint32_t>(time));
      if (slot) return put(node, time, *slot);
    }
    put(node, before, slot_before);
  }

  // Smaller is more urgent: operations that the branch waits for, then the longest path to the end.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> urgency(std::uint32_t node) const {
    const bool bound =
        latest_[node] != far_away && latest_[node] < std::int64_t{interval_} * (ahead_ + 1);
    return {bound ? 0 : 1, -heights_[node]};
  }

  bool place_next() {
    const std::uint32_t node = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    const std::int64_t earliest = earliest_of(node);
    const std::int64_t end = std::min<std::int64_t>(earliest + interval_ - 1, latest_[node]);
    work_.spend(into_[node].size());
    for (std::int64_t time = earliest; time <= end; ++time) {
      work_.spend(1 + from_[node].size());
      if (!meets_placed_readers(node, time)) continue;
      const auto slot = table_.fits(needs_[node], static_cast<std::uint32_t>(time));
      if (!slot) continue;
      put(node, time, *slot);
      return true;
    }
    const std::int64_t time =
        last_[node] < 0 || earliest > last_[node] ? earliest : last_[node] + 1;
    if (time > latest_[node]) return false;
    return force(node, time);
  }

  [[nodiscard]] std::int64_t earliest_of(std::uint32_t node) const {
    std::int64_t earliest = first_time(graph_, node, interval_, ahead_);
    if (delay_ != 0 && bound_[node]) earliest += delay_;
    for (const LoopEdge& edge : into_[node]) {
      if (times_[edge.from] < 0 || edge.from == node) continue;
      earliest = std::max(earliest,
                          times_[edge.from] + edge.distance - std::int64_t{interval_} * edge.omega);
    }
    return earliest;
  }
  [[nodiscard]] bool meets_placed_readers(std::uint32_t node, std::int64_t time) const {
    return std::all_of(from_[node].begin(), from_[node].end(), [&](const LoopEdge& edge) {
      return times_[edge.to] < 0 || edge.to == node || holds(edge, time, times_[edge.to]);
    });
  }
  [[nodiscard]] bool holds(const LoopEdge& edge, std::int64_t from, std::int64_t to) const {
    return to + std::int64_t{interval_} * edge.omega >= from + edge.distance;
  }

  bool force(std::uint32_t node, std::int64_t time) {
    std::set<std::uint32_t> out = table_.blockers(needs_[node], static_cast<std::uint32_t>(time));
    for (const LoopEdge& edge : from_[node]) {
      if (edge.to == node || times_[edge.to] < 0) continue;
      if (!holds(edge, time, times_[edge.to])) out.insert(edge.to);
    }
    if (out.count(graph_.branch()) != 0) return false;
    for (const std::uint32_t other : out) {
      table_.remove(needs_[other], static_cast<std::uint32_t>(times_[other]), slots_[other]);
      times_[other] = -1;
      waiting_.insert({urgency(other), other});
    }
    const auto slot = table_.fits(needs_[node], static_cast<std::uint32_t>(time));
    if (!slot) return false;
    put(node, time, *slot);
    return true;
  }

  void put(std::uint32_t node, std::int64_t time, Slot slot) {
    times_[node] = last_[node] = time;
    slots_[node] = slot;
    table_.put(node, needs_[node], static_cast<std::uint32_t>(time), slot);
  }

  [[nodiscard]] std::optional<ModuloSchedule> finished() const {
    ModuloSchedule result;
    result.interval = interval_;
    result.ahead = ahead_;
    result.slots = slots_;
    for (const std::int64_t time : times_) result.times.push_back(static_cast<std::uint32_t>(time));
    for (const LoopEdge& edge : graph_.edges) {
      if (!holds(edge, times_[edge.from], times_[edge.to])) return std::nullopt;
    }
    return result;
  }

  const LoopGraph& graph_;
  Work& work_;
  std::uint32_t interval_;
  std::uint32_t ahead_;
  std::uint32_t delay_;
  Lives lives_;
  Table table_;
  std::vector<bool> bound_;                            // see find_bound()
  std::vector<std::vector<std::uint32_t>> values_of_;  // by operation: written or read
  std::vector<Need> needs_;
  std::vector<std::int64_t> heights_;
  std::vector<std::int64_t> latest_;
  std::vector<std::int64_t> times_;  // or -1
  std::vector<std::int64_t> last_;   // where it was last
  std::int64_t end_ = 0;             // of the last stage, once all are placed
  std::vector<Slot> slots_;
  std::vector<std::vector<LoopEdge>> into_, from_;
  std::set<std::pair<std::pair<std::int64_t, std::int64_t>, std::uint32_t>> waiting_;
};

}  // namespace

std::uint32_t ModuloSchedule::stages() const {
  return *std::max_element(times.begin(), times.end()) / interval + 1;
}

std::optional<ModuloSchedule> modulo_schedule(const LinearBlock& block, const LoopGraph& graph,
                                              std::uint32_t interval, std::uint32_t ahead,
                                              Lives lives, Work& work) {
  for (const std::uint32_t delay : {0U, 6U, 14U, 30U}) {
    if (auto found = Scheduler(block, graph, interval, ahead, delay, lives, work).run()) {
      return found;
    }
    if (delay > interval) break;
  }
  return std::nullopt;
}

}  // namespace tandem::schedule
