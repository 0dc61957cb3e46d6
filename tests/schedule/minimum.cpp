#include "tests/schedule/minimum.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <vector>

#include "isa/analysis/unit_time.hpp"
#include "schedule/proof/bounds.hpp"
#include "tests/schedule/crowded.hpp"

namespace tandem::test {
namespace {

using schedule::LinearBlock;
using schedule::LinearOperation;
using schedule::no_virtual;
using schedule::VirtualId;

// An address in iteration i: what a register held when the loop was entered, or something unknown
// (a name of its own), plus offset, plus advance times i.
struct Address {
  std::int64_t name = 0;
  std::uint32_t anchor = 0;
  std::int64_t offset = 0;
  std::optional<std::int64_t> advance;  // unknown: another address in each iteration
};

struct Touch {
  std::uint32_t at = 0;
  int space = 0;
  bool writes = false;
  bool exact = false;
  Address address;
  std::int64_t units = 1;
  std::int64_t stride = 1;
  std::int64_t visible_after = 1;
  schedule::proof::MaybeBound hull;
  VirtualId through = no_virtual;
};

class Loop {
 public:
  Loop(const LinearBlock& block, const schedule::Result& result, std::uint32_t first,
       std::uint32_t last, std::uint32_t lanes)
      : block_(block),
        constants_(block),
        bounds_(block, result, constants_),
        first_(first),
        count_(last - first + 1),
        lanes_(lanes) {
    for (std::uint32_t i = 0; i < count_; ++i) effects_.push_back(effects_of(op(i)));
  }

  Minimum run() {
    Minimum minimum;
    minimum.slots = slots();
    registers();
    memories();
    weights();
    branch();
    flags();
    while (goes_round(minimum.round)) ++minimum.round;
    std::vector<Group> groups;
    for (std::uint32_t i = 0; i < count_; ++i) groups.push_back(group(i));
    // A longer interval need not be less crowded: each one is looked at, from the least on.
    while (crowded(groups, edges_, minimum.cycles())) minimum.round = minimum.cycles() + 1;
    return minimum;
  }

 private:
  [[nodiscard]] const LinearOperation& item(std::uint32_t i) const {
    return block_.operations[first_ + i];
  }
  [[nodiscard]] const Operation& op(std::uint32_t i) const { return item(i).operation; }
  [[nodiscard]] Group group(std::uint32_t i) const { return instruction(op(i).op).group; }

  // For every set of slots, the operations that go nowhere else; then the units.
  [[nodiscard]] std::uint32_t slots() const {
    std::uint32_t most = 1;
    for (std::uint32_t set = 1; set < (1U << slot_count); ++set) {
      std::uint32_t bound_to = 0;
      for (std::uint32_t i = 0; i < count_; ++i) {
        bool inside = true;
        for (std::size_t slot = 0; slot < slot_count; ++slot) {
          if (slot_accepts(static_cast<Slot>(slot), group(i)) && ((set >> slot) & 1U) == 0) {
            inside = false;
          }
        }
        bound_to += inside ? 1U : 0U;
      }
      const auto width = static_cast<std::uint32_t>(std::popcount(set));
      most = std::max(most, (bound_to + width - 1) / width);
    }
    std::array<std::uint32_t, unit_count> busy{};
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t cycles = unit_cycles(effects_[i], op(i));
      const Unit unit = unit_of(effects_[i]);
      // A load and a store of a cycle each share VMEM.
      if (unit == Unit::none || (unit == Unit::vmem && cycles == 1)) continue;
      busy[static_cast<std::size_t>(unit)] += cycles;
    }
    return std::max(most, *std::max_element(busy.begin(), busy.end()));
  }

  void follows(std::uint32_t from, std::uint32_t to, std::int64_t cycles, std::uint32_t later) {
    edges_.push_back({from, to, cycles, later});
  }

  // ---- registers ---

  // Reads wait for writes. The rest is a matter of names, and costs nothing, where every write
  // replaces all; a write that keeps part of the old value reads it.
  void registers() {
    std::map<std::uint64_t, std::vector<std::uint32_t>> touched;
    const auto key = [&](std::uint32_t i, const RegisterUse& use) -> std::uint64_t {
      const VirtualId id = item(i).registers[use.place];
      if (id != no_virtual) return id;
      return (std::uint64_t{1} << 40U) + (static_cast<std::uint64_t>(use.file) << 8U) + use.index;
    };
    const auto is_place = [&](std::uint32_t i, const RegisterUse& use) {
      return use.file == File::a && item(i).registers[use.place] == no_virtual;
    };
    for (std::uint32_t i = 0; i < count_; ++i) {
      for (const RegisterUse& use : effects_[i].reads()) {
        if (!is_place(i, use)) touched[key(i, use)].push_back(i);
      }
      if (effects_[i].writes && !is_place(i, effects_[i].write)) {
        touched[key(i, effects_[i].write)].push_back(i);
      }
    }
    for (auto& entry : touched) {
      const std::uint64_t number = entry.first;
      std::vector<std::uint32_t>& list = entry.second;
      list.erase(std::unique(list.begin(), list.end()), list.end());
      const bool by_number = number >= (std::uint64_t{1} << 40U);
      chain(list, by_number, [&](std::uint32_t i, const RegisterUse& use) {
        return !is_place(i, use) && key(i, use) == number;
      });
    }
  }
  template <typename Names>
  void chain(const std::vector<std::uint32_t>& list, bool by_number, const Names& names) {
    std::vector<bool> reads(list.size()), writes(list.size()), whole(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::uint32_t i = list[k];
      for (const RegisterUse& use : effects_[i].reads()) reads[k] = reads[k] || names(i, use);
      writes[k] = effects_[i].writes && names(i, effects_[i].write);
      whole[k] = writes[k] && !effects_[i].keeps_old && op(i).predicate == 0 && !op(i).negate;
    }
    // The same name in each iteration, from an author's register number or a partial write. Where
    // every write replaces all, each begins a value of its own, under any name.
    const bool one_name =
        by_number || std::find(whole.begin(), whole.end(), true) == whole.end() || whole != writes;
    if (!one_name) return values(list, reads, writes);
    for (std::size_t a = 0; a < list.size(); ++a) {
      for (std::size_t b = 0; b < list.size(); ++b) {
        const std::uint32_t later = b > a ? 0 : 1;
        if (writes[a] && reads[b]) follows(list[a], list[b], ready_after(list[a], list[b]), later);
        if (writes[a] && writes[b]) follows(list[a], list[b], 1, later);
        if (reads[a] && writes[b] && a != b) follows(list[a], list[b], 0, later);
      }
    }
  }
  // A read gets the write before it, in this iteration or else the last of the one before.
  void values(const std::vector<std::uint32_t>& list, const std::vector<bool>& reads,
              const std::vector<bool>& writes) {
    const std::size_t count = list.size();
    for (std::size_t reader = 0; reader < count; ++reader) {
      for (std::size_t back = 1; reads[reader] && back <= count; ++back) {
        const std::size_t writer = (reader + count - back) % count;
        if (!writes[writer]) continue;
        follows(list[writer], list[reader], ready_after(list[writer], list[reader]),
                writer < reader ? 0 : 1);
        break;
      }
    }
  }
  [[nodiscard]] std::int64_t ready_after(std::uint32_t writer, std::uint32_t reader) const {
    const Effects& w = effects_[writer];
    const Effects& r = effects_[reader];
    const bool adds_to_it =
        w.latency == Latency::multiply && r.latency == Latency::multiply && r.keeps_old;
    return adds_to_it ? 1 : result_cycles(w, op(writer), lanes_);
  }

  // ---- memories ---

  void memories() {
    find_advances();
    for (std::uint32_t i = 0; i < count_; ++i) {
      note_touches(i);
      note_value(i);
    }
    for (std::size_t a = 0; a < touches_.size(); ++a) {
      for (std::size_t b = 0; b < touches_.size(); ++b) meet(touches_[a], touches_[b], b > a);
    }
  }

  // Scalars that one unpredicated addition of a constant changes, once an iteration.
  void find_advances() {
    std::map<VirtualId, std::uint32_t> writes;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (effects_[i].writes) ++writes[item(i).registers[effects_[i].write.place]];
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (!effects_[i].writes || effects_[i].write.file != File::s) continue;
      const VirtualId id = item(i).registers[effects_[i].write.place];
      changed_[id] = std::nullopt;
      const bool adds = op(i).op == Op::add || op(i).op == Op::sub;
      const bool always = op(i).predicate == 0 && !op(i).negate;
      const bool by_constant = adds && op(i).operands[2].extra != 0 && item(i).anchor == 0;
      if (!by_constant || !always || writes[id] != 1 || item(i).registers[1] != id) continue;
      changed_[id] = op(i).op == Op::add ? op(i).operands[2].imm : -op(i).operands[2].imm;
    }
  }
  Address value(std::uint32_t i, std::uint8_t place) const {
    const OperandValue& operand = op(i).operands[place];
    const OperandKind kind = instruction(op(i).op).operands.items[place]->kind;
    if (kind == OperandKind::scalar_imm && operand.extra != 0)
      return constant(i, place, operand.imm);
    const VirtualId id = item(i).registers[place];
    if (id == no_virtual) {
      if (operand.value == 0) return {0, 0, 0, 0};
      return {-1 - std::int64_t{operand.value}, 0, 0,
              written_by_number_ ? std::nullopt : std::optional<std::int64_t>(0)};
    }
    const auto now = now_.find(id);
    if (now != now_.end()) return now->second;
    if (const auto known = constants_.find(id); known && known->root == no_virtual) {
      return {0, known->anchor, known->offset, 0};
    }
    const auto change = changed_.find(id);
    return {std::int64_t{id} + 1, 0, 0, change == changed_.end() ? 0 : change->second};
  }
  [[nodiscard]] Address constant(std::uint32_t i, std::uint8_t place, std::int64_t number) const {
    if (!schedule::is_anchored(item(i), place)) return {0, 0, number, 0};
    const std::uint32_t anchor = item(i).anchor == schedule::number_anchor ? 0 : item(i).anchor;
    return {0, anchor, item(i).anchor_offset, 0};
  }
  Address address(std::uint32_t i, std::uint8_t place) const {
    Address at = value(i, place);
    const OperandKind kind = instruction(op(i).op).operands.items[place]->kind;
    if (schedule::is_anchored(item(i), place)) {
      const Address more = constant(i, place, 0);
      if (at.anchor != 0 && more.anchor != 0) at.advance = std::nullopt;
      at.anchor = std::max(at.anchor, more.anchor);
      at.offset += more.offset;
    } else {
      at.offset +=
          op(i).operands[place].imm * std::int64_t{kind == OperandKind::descriptor ? 16 : 1};
    }
    return at;
  }
  void note_value(std::uint32_t i) {
    if (!effects_[i].writes || effects_[i].write.file != File::s) return;
    const VirtualId id = item(i).registers[effects_[i].write.place];
    if (id == no_virtual) return;
    Address result{1'000'000'000 + std::int64_t{i}, 0, 0, std::nullopt};
    const bool always = op(i).predicate == 0 && !op(i).negate;
    if (always && op(i).op == Op::mov) result = value(i, 1);
    if (always && (op(i).op == Op::add || op(i).op == Op::sub)) {
      Address a = value(i, 1);
      Address b = value(i, 2);
      if (op(i).op == Op::add && a.name == 0 && a.anchor == 0) std::swap(a, b);
      if (b.name == 0 && b.anchor == 0) {
        a.offset += op(i).op == Op::add ? b.offset : -b.offset;
        result = a;
      }
    }
    now_[id] = result;
  }

  void note_touches(std::uint32_t i) {
    const Instruction& row = instruction(op(i).op);
    for (std::uint8_t place = 0; place < row.operands.count; ++place) {
      const OperandKind kind = row.operands.items[place]->kind;
      const VirtualId id = item(i).registers[place];
      const bool named = id != no_virtual && block_.virtuals[id].file == File::a;
      if (kind == OperandKind::accumulator && !named) {
        note(i, place, 0, row.operands.items[place]->access == Access::write, true, 1, 1,
             result_cycles(effects_[i], op(i), lanes_));
      }
      if (kind == OperandKind::descriptor) note(i, place, 2, false, true, 16, 1, 1);
    }
    const MemoryUse& use = effects_[i].memory;
    if (use.space == LocalMemory::none) return;
    note(i, use.place, use.space == LocalMemory::vmem ? 1 : 2, use.writes,
         use.extent_known && !use.in_words, use.units, use.stride, 1);
    if (use.extent_known) touches_.back().through = item(i).registers[use.place];
  }
  void note(std::uint32_t i, std::uint8_t place, int space, bool writes, bool exact,
            std::int64_t units, std::int64_t stride, std::int64_t visible_after) {
    Touch touch{i,     space,  writes,        exact, address(i, place),
                units, stride, visible_after, {},    no_virtual};
    if (exact) {
      touch.hull = bounds_.touched(first_ + i, place, units, stride);
      if (space != 0) touch.through = item(i).registers[place];
    }
    touches_.push_back(touch);
  }

  void meet(const Touch& a, const Touch& b, bool in_order) {
    if (a.space != b.space || (!a.writes && !b.writes)) return;
    if (a.hull && b.hull && schedule::proof::never_equal(*a.hull, *b.hull)) return;
    if (promised(a.through, b.through)) return;
    const std::int64_t cycles = !a.writes ? 0 : b.writes ? 1 : a.visible_after;
    constexpr std::uint32_t far = 64;  // iterations, beyond which no round matters any more
    for (std::uint32_t later = in_order ? 0 : 1; later < far; ++later) {
      if (!may_equal(a, b, later)) continue;
      follows(a.at, b.at, cycles, later);
      return;
    }
  }
  static bool may_equal(const Touch& a, const Touch& b, std::int64_t later) {
    const Address& x = a.address;
    const Address& y = b.address;
    if (!a.exact || !b.exact || x.name != y.name || x.anchor != y.anchor) return true;
    if (later != 0 && (!x.advance || !y.advance)) return true;
    const std::int64_t moved = later == 0 ? 0 : *y.advance * later;
    for (std::int64_t i = 0; i < a.units; ++i) {
      for (std::int64_t j = 0; j < b.units; ++j) {
        if (x.offset + i * a.stride == y.offset + moved + j * b.stride) return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool promised(VirtualId a, VirtualId b) const {
    return std::any_of(
        block_.disjoint.begin(), block_.disjoint.end(), [&](const schedule::Disjoint& promise) {
          return a != no_virtual && b != no_virtual &&
                 ((promise.a == a && promise.b == b) || (promise.a == b && promise.b == a));
        });
  }

  // ---- the matrix unit, the branch, copies ---

  void weights() {
    std::vector<std::uint32_t> pushes, multiplies;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (effects_[i].pushes) pushes.push_back(i);
      if (effects_[i].multiplies) multiplies.push_back(i);
    }
    for (const auto* list : {&pushes, &multiplies}) {
      for (std::size_t k = 0; k < list->size(); ++k) {
        const std::uint32_t i = (*list)[k];
        const bool last = k + 1 == list->size();
        follows(i, (*list)[last ? 0 : k + 1], unit_cycles(effects_[i], op(i)), last ? 1 : 0);
      }
    }
    std::vector<std::uint32_t> swaps;
    for (const std::uint32_t m : multiplies) {
      if (effects_[m].swaps) swaps.push_back(m);
    }
    for (const std::uint32_t m : swaps) {
      for (const std::uint32_t p : pushes) {
        follows(p, m, 1, p < m ? 0 : 1);
        follows(m, p, 1, m < p ? 0 : 1);
      }
    }
    // Counted backwards through the iterations from a push: of the swaps, the one that makes the
    // buffer free that the push fills.
    for (const std::uint32_t p : pushes) {
      std::uint32_t seen = 0;
      for (std::uint32_t back = 0; !swaps.empty() && seen < timing::weight_buffers - 1; ++back) {
        for (std::size_t k = swaps.size(); k-- > 0 && seen < timing::weight_buffers - 1;) {
          if (back == 0 && swaps[k] > p) continue;
          if (++seen < timing::weight_buffers - 1) continue;
          follows(swaps[k], p, push_after_release(effects_[p].transposes, row_pushed(p), lanes_),
                  back);
        }
      }
    }
  }
  [[nodiscard]] std::uint32_t row_pushed(std::uint32_t i) const {
    const Instruction& row = instruction(op(i).op);
    for (std::size_t place = 0; place < row.operands.count; ++place) {
      if (row.operands.items[place]->kind != OperandKind::weight_row) continue;
      return static_cast<std::uint32_t>(op(i).operands[place].imm);
    }
    return 0;
  }

  // An iteration is begun when it is decided that there is one; scalar results may be ahead by one.
  void branch() {
    const std::uint32_t last = count_ - 1;
    for (std::uint32_t i = 0; i < count_; ++i) {
      follows(last, i, 1, group(i) == Group::scalar ? 2 : 1);
    }
  }

  void flags() {
    std::vector<std::uint32_t> uses;
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (effects_[i].uses_flags()) uses.push_back(i);
    }
    for (std::size_t k = 0; k < uses.size(); ++k) {
      const bool last = k + 1 == uses.size();
      follows(uses[k], uses[last ? 0 : k + 1], 1, last ? 1 : 0);
    }
    for (const std::uint32_t i : uses) {
      for (const Touch& touch : touches_) {
        if (touch.space == 0) continue;
        if (effects_[i].waits()) follows(i, touch.at, 0, touch.at > i ? 0 : 1);
        if (!effects_[i].copies() || effects_[touch.at].copies()) continue;
        const std::uint32_t nearest = touch.at < i ? 0 : 1;
        const bool store_of_words = touch.writes && touch.space == 2;
        follows(touch.at, i, store_of_words ? 1 : 0,
                std::max(nearest, block_.copies_apart_at(first_)));
      }
    }
  }

  // Whether some round takes longer than its iterations have at this interval.
  [[nodiscard]] bool goes_round(std::uint32_t interval) const {
    std::vector<std::int64_t> longest(count_, 0);
    for (std::uint32_t step = 0; step <= count_; ++step) {
      bool changed = false;
      for (const Follows& edge : edges_) {
        const std::int64_t at =
            longest[edge.from] + edge.cycles - std::int64_t{interval} * edge.later;
        if (at <= longest[edge.to]) continue;
        longest[edge.to] = at;
        changed = true;
      }
      if (!changed) return false;
    }
    return true;
  }

  const LinearBlock& block_;
  schedule::proof::Constants constants_;
  schedule::proof::Bounds bounds_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::uint32_t lanes_;
  std::vector<Effects> effects_;
  std::vector<Follows> edges_;
  std::map<VirtualId, std::optional<std::int64_t>> changed_;  // scalars that the loop writes
  std::map<VirtualId, Address> now_;
  bool written_by_number_ = true;
  std::vector<Touch> touches_;
};

}  // namespace

Minimum minimum_of(const LinearBlock& block, const schedule::Result& result, std::uint32_t first,
                   std::uint32_t last, std::uint32_t lanes) {
  return Loop(block, result, first, last, lanes).run();
}

}  // namespace tandem::test
