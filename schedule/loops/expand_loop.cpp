#include "schedule/loops/expand_loop.hpp"

#include <algorithm>
#include <unordered_map>

#include "schedule/program/bundle_slots.hpp"

namespace tandem::schedule {
namespace {

class Expander {
 public:
  Expander(const Expansion& plan, Bundled& result)
      : plan_(plan),
        graph_(*plan.graph),
        schedule_(*plan.schedule),
        result_(result),
        interval_(schedule_.interval),
        stages_(schedule_.stages()),
        value_of_(result.virtuals.size(), nullptr) {
    for (const ValueNames& names : plan.names) {
      if (names.count == 1) continue;
      value_of_[names.value.id] = &names;
      std::vector<VirtualId>& ids = ids_[names.value.id];
      const VirtualRegister original = result.virtuals[names.value.id];
      for (std::uint32_t i = 0; i + 1 < names.count; ++i) {
        ids.push_back(static_cast<VirtualId>(result.virtuals.size()));
        result.virtuals.push_back(original);
      }
      ids.push_back(names.value.id);  // the result of iteration -1 is the incoming value
    }
    by_row_.resize(interval_);
    for (std::uint32_t i = 0; i < graph_.operations(); ++i) {
      by_row_[schedule_.times[i] % interval_].push_back(i);
    }
  }

  void run() {
    const std::uint32_t steps = plan_.steps();
    for (std::uint32_t i = 0; i < steps; ++i) exits_.push_back(new_label());
    head_ = new_label();
    behind_ = new_label();
    for (std::uint32_t step = 0; step < steps; ++step) {
      if (step == stages_ - 1 && !plan_.once()) place_label(head_);
      write_step(step, step + 1 == steps);
    }
    write_exits(steps);
    place_label(behind_);
  }

 private:
  LabelId new_label() {
    result_.labels.push_back(0);
    return static_cast<LabelId>(result_.labels.size() - 1);
  }
  void place_label(LabelId label) { result_.labels[label] = result_.bundles(); }

  [[nodiscard]] std::uint32_t stage_of(std::uint32_t node) const {
    return schedule_.times[node] / interval_;
  }

  void write_step(std::uint32_t step, bool last) {
    for (std::uint32_t row = 0; row < interval_; ++row) {
      for (const std::uint32_t node : by_row_[row]) {
        if (stage_of(node) > step) continue;
        LinearOperation item = instance(node, step - stage_of(node));
        if (node == graph_.branch()) {
          item.target = last ? head_ : exits_[step];
          if (!last) item.operation.negate = !item.operation.negate;
        }
        result_.operations.push_back({item, schedule_.slots[node]});
      }
      close();
    }
  }

  // The code that the kernel falls into comes first. Where the author has promised that the loop is
  // not left, there is a trap instead, one for all such exits.
  // The iteration after all the promised ones begins in that trap, too.
  void write_exits(std::uint32_t steps) {
    std::vector<std::uint32_t> exits{steps - 1};
    for (std::uint32_t i = schedule_.ahead; i + 1 < steps; ++i) exits.push_back(i);
    const auto refused = std::stable_partition(
        exits.begin(), exits.end(), [&](std::uint32_t step) { return plan_.may_leave(step); });
    const bool traps_first = !plan_.may_leave(steps - 1);
    const std::vector<std::uint32_t> broken(refused, exits.end());
    exits.erase(refused, exits.end());
    const bool traps = !broken.empty() || plan_.once();
    if (traps_first) write_trap(broken);
    for (std::size_t i = 0; i < exits.size(); ++i) {
      const bool before_trap = i == 0 && !traps_first && traps;
      write_exit(exits[i], i + 1 == exits.size() && !before_trap);
      if (before_trap) write_trap(broken);
    }
  }
  void write_trap(const std::vector<std::uint32_t>& steps) {
    for (const std::uint32_t step : steps) place_label(exits_[step]);
    if (plan_.once()) place_label(head_);
    LinearOperation trap;
    trap.operation.op = Op::trap;
    trap.operation.operands[0].value = broken_count;
    trap.added = true;
    trap.tag = plan_.block->operations[graph_.region.end - 1].tag;
    result_.operations.push_back({trap, Slot::sa});
    close();
  }

  // Stages that the iterations up to `step` lack, then the values that are wanted after the loop.
  void write_exit(std::uint32_t step, bool last) {
    place_label(exits_[step]);
    const std::uint32_t before = result_.bundles();
    const std::uint32_t newest = step - schedule_.ahead;  // iteration
    for (std::uint32_t later = step + 1; later < newest + stages_; ++later) {
      for (const std::vector<std::uint32_t>& row : by_row_) {
        for (const std::uint32_t node : row) {
          const std::uint32_t stage = stage_of(node);
          if (stage > later || later - stage > newest) continue;
          result_.operations.push_back({instance(node, later - stage), schedule_.slots[node]});
        }
        close();
      }
    }
    write_moves(newest);
    if (!last) leave(before);
  }

  void close() {
    if (result_.operations.size() != result_.first.back()) result_.close_bundle();
  }

  [[nodiscard]] LinearOperation instance(std::uint32_t node, std::uint32_t iteration) const {
    LinearOperation item = plan_.block->operations[graph_.region.first + node];
    const Effects& effects = graph_.effects[node];
    for (std::size_t place = 0; place < item.registers.size(); ++place) {
      VirtualId& id = item.registers[place];
      if (id == no_virtual || value_of_[id] == nullptr) continue;
      const ValueNames& names = *value_of_[id];
      const bool writes = effects.writes && effects.write.place == place;
      const bool from_before = !writes && node <= names.value.writer;
      // Adding one more round keeps the number from becoming negative.
      const std::uint32_t number = iteration + names.count - (from_before ? 1 : 0);
      id = ids_.at(id)[number % names.count];
    }
    return item;
  }

  void write_moves(std::uint32_t newest) {
    BundleSlots slots;
    std::vector<LinearOperation> moves;
    for (const ValueNames& names : plan_.names) {
      if (!names.wanted || names.count == 1) continue;
      const std::vector<VirtualId>& ids = ids_.at(names.value.id);
      const VirtualId from = ids[newest % names.count];
      if (from == names.value.id) continue;
      LinearOperation move = move_of(*result_.virtuals[from].file, names.value.id, from);
      move.tag = plan_.block->operations[graph_.region.first + names.value.writer].tag;
      moves.push_back(move);
    }
    for (std::size_t i = 0; i < moves.size();) {
      slots.clear();
      const std::size_t begin = i;
      while (i < moves.size() &&
             slots.take(static_cast<std::uint32_t>(i), instruction(moves[i].operation.op).group)) {
        ++i;
      }
      for (std::size_t slot = 0; slot < slot_count; ++slot) {
        const auto owner = slots.owner(static_cast<Slot>(slot));
        if (owner) result_.operations.push_back({moves[*owner], static_cast<Slot>(slot)});
      }
      if (i != begin) close();
    }
  }

  static LinearOperation move_of(File file, VirtualId to, VirtualId from) {
    LinearOperation move;
    move.added = true;
    OperandValue placeholder;
    placeholder.value = virtual_placeholder;
    switch (file) {
      case File::s: move.operation.op = Op::mov; break;
      case File::v: move.operation.op = Op::vmov; break;
      case File::p: move.operation.op = Op::por; break;
      case File::m:
      case File::a: move.operation.op = Op::mor; break;
    }
    const std::uint8_t count = instruction(move.operation.op).operands.count;
    for (std::uint8_t place = 0; place < count; ++place) {
      move.operation.operands[place] = placeholder;
      move.registers[place] = place == 0 ? to : from;
    }
    return move;
  }

  // Goes to after the loop, in the exit's last bundle if that has room.
  void leave(std::uint32_t before) {
    LinearOperation branch = plan_.block->operations[graph_.region.end - 1];
    branch.operation.predicate = 0;
    branch.operation.negate = false;
    branch.registers[predicate_place] = no_virtual;
    branch.target = behind_;
    branch.added = true;
    if (result_.bundles() != before && make_room()) {
      result_.operations.insert(result_.operations.begin() + result_.first[result_.bundles() - 1],
                                {branch, Slot::sa});
      result_.first.back() = static_cast<std::uint32_t>(result_.operations.size());
      return;
    }
    result_.operations.push_back({branch, Slot::sa});
    close();
  }
  [[nodiscard]] bool make_room() const {
    const auto bundle = result_.bundle(result_.bundles() - 1);
    return std::none_of(bundle.begin(), bundle.end(),
                        [](const BundledOperation& placed) { return placed.slot == Slot::sa; });
  }

  const Expansion& plan_;
  const LoopGraph& graph_;
  const ModuloSchedule& schedule_;
  Bundled& result_;
  std::uint32_t interval_;
  std::uint32_t stages_;
  std::vector<const ValueNames*> value_of_;  // of virtual registers with several names
  std::unordered_map<VirtualId, std::vector<VirtualId>> ids_;
  std::vector<std::vector<std::uint32_t>> by_row_;
  std::vector<LabelId> exits_;  // by step
  LabelId head_ = no_label;
  LabelId behind_ = no_label;
};

}  // namespace

std::uint32_t lifetime(const LoopValue& value, const ModuloSchedule& schedule) {
  std::int64_t longest = 0;
  const std::int64_t written = schedule.times[value.writer];
  for (const std::uint32_t reader : value.readers) {
    const std::int64_t later = reader > value.writer ? 0 : schedule.interval;
    longest = std::max(longest, schedule.times[reader] + later - written);
  }
  return static_cast<std::uint32_t>(longest);
}

bool can_expand(const Expansion& plan) {
  return std::none_of(plan.names.begin(), plan.names.end(), [&](const ValueNames& names) {
    return names.wanted && names.count > 1 && plan.block->virtuals[names.value.id].file == File::a;
  });
}

bool Expansion::once() const {
  const std::uint64_t all = std::uint64_t{hint.most} + schedule->ahead;
  return hint.most > 1 && all <= schedule->stages() - 1 + unroll;
}

std::uint32_t Expansion::steps() const {
  return once() ? hint.most + schedule->ahead : schedule->stages() - 1 + unroll;
}

bool Expansion::may_leave(std::uint32_t step) const {
  if (step < schedule->ahead) return false;
  const std::uint64_t iterations = step - schedule->ahead + 1;
  const bool in_kernel = step + 1 >= schedule->stages() && !once();
  return in_kernel ? hint.allows_any(iterations, unroll) : hint.allows(iterations);
}

namespace {

// Which stages have an operation, row by row.
class Occupied {
 public:
  Occupied(const ModuloSchedule& schedule) : rows_(schedule.interval, 0) {
    for (const std::uint32_t time : schedule.times) {
      rows_[time % schedule.interval] |= 1U << (time / schedule.interval);
    }
  }
  // Bundles of the stages from .. to, overlapped.
  [[nodiscard]] std::uint32_t bundles(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t stages = (to >= 31 ? ~0U : (2U << to) - 1) & ~((1U << from) - 1);
    return static_cast<std::uint32_t>(std::count_if(
        rows_.begin(), rows_.end(), [&](std::uint32_t row) { return (row & stages) != 0; }));
  }

 private:
  std::vector<std::uint32_t> rows_;
};

}  // namespace

std::uint32_t expanded_bundles(const Expansion& plan) {
  const ModuloSchedule& schedule = *plan.schedule;
  const Occupied occupied(schedule);
  const std::uint32_t stages = schedule.stages();
  const std::uint32_t steps = plan.steps();
  const auto moves = static_cast<std::uint32_t>(
      std::count_if(plan.names.begin(), plan.names.end(),
                    [](const ValueNames& names) { return names.wanted && names.count > 1; }));
  std::uint32_t bundles = 0;
  std::uint32_t trap = plan.once() ? 1 : 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    bundles += occupied.bundles(0, step);
    if (!plan.may_leave(step)) {
      if (step >= schedule.ahead) trap = 1;
      continue;
    }
    const std::uint32_t newest = step - schedule.ahead;
    for (std::uint32_t later = step + 1; later < newest + stages; ++later) {
      bundles += occupied.bundles(later - newest, later);
    }
    bundles += moves + 1;
  }
  return bundles + trap;
}

void expand_loop(const Expansion& plan, Bundled& result) { Expander(plan, result).run(); }

}  // namespace tandem::schedule
