#include "schedule/memory/disjoint_checks.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

namespace tandem::schedule {
namespace {

// The rows of VMEM or words of SMEM accessed through one register so far.
struct Span {
  VirtualId low = no_virtual;
  VirtualId high = no_virtual;
};

class Writer {
 public:
  Writer(const LinearBlock& block, std::uint32_t lanes) : block_(block), lanes_(lanes) {
    result_.name = block.name;
    result_.virtuals = block.virtuals;
    result_.disjoint = block.disjoint;
    result_.hints = block.hints;
    result_.frame_words = block.frame_words;
    result_.frame_rows = block.frame_rows;
  }

  LinearBlock run() {
    find_spans();
    if (spans_.empty()) return block_;
    std::vector<std::uint32_t> place(block_.operations.size() + 1);
    begin();
    for (std::uint32_t i = 0; i < block_.operations.size(); ++i) {
      // The first operation is where the block is entered: nothing branches back to the code put
      // before it.
      place[i] = static_cast<std::uint32_t>(result_.operations.size());
      item_ = &block_.operations[i];
      effects_ = effects_of(item_->operation);
      if (leaves_block()) compare_spans();
      note_access();
      result_.operations.push_back(*item_);
    }
    place.back() = static_cast<std::uint32_t>(result_.operations.size());
    if (!block_.operations.empty()) compare_spans();
    for (const std::uint32_t label : block_.labels) result_.labels.push_back(place[label]);
    enter_at_first();
    return std::move(result_);
  }

 private:
  using SpanKey = std::pair<LocalMemory, VirtualId>;

  // A label on the first operation, if nothing in the block branches to it, goes before the setup
  // of the spans: that is where callers enter.
  void enter_at_first() {
    for (LabelId label = 0; label < block_.labels.size(); ++label) {
      const bool inside =
          std::any_of(block_.operations.begin(), block_.operations.end(),
                      [&](const LinearOperation& item) { return item.target == label; });
      if (block_.labels[label] == 0 && !inside) result_.labels[label] = 0;
    }
  }

  [[nodiscard]] std::optional<SpanKey> accessed(const LinearOperation& item) const {
    const MemoryUse use = effects_of(item.operation).memory;
    if (use.space == LocalMemory::none || !use.extent_known) return std::nullopt;
    const VirtualId id = item.registers[use.place];
    const bool named =
        std::any_of(block_.disjoint.begin(), block_.disjoint.end(),
                    [&](const Disjoint& promise) { return promise.a == id || promise.b == id; });
    return id != no_virtual && named ? std::optional<SpanKey>{{use.space, id}} : std::nullopt;
  }

  void find_spans() {
    for (const LinearOperation& item : block_.operations) {
      const auto key = accessed(item);
      if (!key || spans_.count(*key) != 0) continue;
      spans_[*key] = {fresh("lowest", File::s), fresh("highest", File::s)};
    }
  }

  VirtualId fresh(const char* name, File file) {
    result_.virtuals.push_back({name, file});
    return static_cast<VirtualId>(result_.virtuals.size() - 1);
  }

  LinearOperation& add(Op op, std::initializer_list<VirtualId> registers) {
    LinearOperation made;
    made.operation.op = op;
    made.tag = item_ == nullptr ? block_.operations.front().tag : item_->tag;
    const Instruction& row = instruction(op);
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      made.operation.operands[i] = default_value(*row.operands.items[i]);
    }
    std::size_t place = 0;
    for (const VirtualId id : registers) {
      made.operation.operands[place].value = virtual_placeholder;
      made.registers[place++] = id;
    }
    result_.operations.push_back(made);
    return result_.operations.back();
  }
  LinearOperation& add(Op op, std::initializer_list<VirtualId> registers, std::int64_t number) {
    LinearOperation& made = add(op, registers);
    made.operation.operands[registers.size()] = {0, 1, static_cast<std::int32_t>(number)};
    return made;
  }

  void begin() {
    for (const auto& [key, span] : spans_) {
      add(Op::mov, {span.low}, -1);
      add(Op::mov, {span.high}, 0);
    }
  }

  void note_access() {
    const auto key = accessed(*item_);
    if (!key) return;
    const Span span = spans_.at(*key);
    const MemoryUse& use = effects_.memory;
    const VirtualId at = fresh("at", File::s);
    const std::int64_t reach = std::int64_t{use.units - 1} * use.stride;
    const bool anchored = is_anchored(*item_, use.place);
    LinearOperation& address = add(Op::add, {at, key->second}, use.offset);
    if (anchored) {
      address.anchor = item_->anchor;
      address.anchor_offset = item_->anchor_offset;
    }
    note(Op::min_u32, span.low, at, std::min<std::int64_t>(reach, 0));
    note(Op::max_u32, span.high, at, std::max<std::int64_t>(reach, 0));
  }
  // The row that contains a word of VMEM.
  VirtualId row_of(VirtualId word) {
    const VirtualId row = fresh("row", File::s);
    add(Op::shr, {row, word}, std::countr_zero(lanes_));
    return row;
  }
  void note(Op op, VirtualId bound, VirtualId at, std::int64_t reach) {
    VirtualId moved = at;
    if (reach != 0) {
      moved = fresh("reached", File::s);
      add(Op::add, {moved, at}, reach);
    }
    if (effects_.memory.in_words) moved = row_of(moved);
    LinearOperation& made = add(op, {bound, bound, moved});
    made.operation.predicate = item_->operation.predicate;
    made.operation.negate = item_->operation.negate;
    made.registers[predicate_place] = item_->registers[predicate_place];
  }

  [[nodiscard]] bool leaves_block() const {
    const Control control = effects_.control;
    if (control == Control::branch) return item_->target == no_label;
    return leaves(control) || control == Control::halt;
  }

  void compare_spans() {
    for (const Disjoint& promise : block_.disjoint) {
      for (const LocalMemory space : {LocalMemory::vmem, LocalMemory::smem}) {
        const auto a = spans_.find({space, promise.a});
        const auto b = spans_.find({space, promise.b});
        if (a != spans_.end() && b != spans_.end()) compare(a->second, b->second);
      }
    }
  }
  void compare(const Span& a, const Span& b) {
    const VirtualId below = fresh("below", File::p);
    const VirtualId above = fresh("above", File::p);
    add(Op::lt_u32, {below, a.high, b.low});
    add(Op::lt_u32, {above, b.high, a.low});
    add(Op::por, {below, below, above});
    LinearOperation& trap = add(Op::trap, {});
    trap.operation.operands[0].value = broken_promise;
    trap.operation.predicate = virtual_placeholder;
    trap.operation.negate = true;
    trap.registers[predicate_place] = below;
  }

  const LinearBlock& block_;
  std::uint32_t lanes_;
  LinearBlock result_;
  const LinearOperation* item_ = nullptr;
  Effects effects_;
  std::map<SpanKey, Span> spans_;
};

}  // namespace

LinearBlock with_disjoint_checks(const LinearBlock& block, std::uint32_t lanes) {
  if (block.disjoint.empty() || block.operations.empty()) return block;
  return Writer(block, lanes).run();
}

}  // namespace tandem::schedule
