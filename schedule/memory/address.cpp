#include "schedule/memory/address.hpp"

#include <algorithm>

#include "schedule/program/operands.hpp"

namespace tandem::schedule {
namespace {

// Bundle ranges that a backward branch may repeat, as one mark per operation.
std::vector<bool> repeated_operations(const LinearBlock& block) {
  std::vector<std::int32_t> change(block.operations.size() + 1, 0);
  for (std::uint32_t i = 0; i < block.operations.size(); ++i) {
    const LabelId target = block.operations[i].target;
    if (target == no_label || block.labels[target] > i) continue;
    ++change[block.labels[target]];
    --change[i + 1];
  }
  std::vector<bool> repeated(block.operations.size(), false);
  std::int32_t depth = 0;
  for (std::size_t i = 0; i < block.operations.size(); ++i) {
    depth += change[i];
    repeated[i] = depth > 0;
  }
  return repeated;
}

}  // namespace

Values::Values(const LinearBlock& block) : block_(block) { find_constants(); }

// A register that is written once, by an operation that happens at most once, has one value.
void Values::find_constants() {
  const std::vector<bool> repeated = repeated_operations(block_);
  std::vector<std::uint32_t> writes(block_.virtuals.size(), 0);
  std::vector<Effects> effects;
  for (const LinearOperation& item : block_.operations) {
    effects.push_back(effects_of(item.operation));
    if (!effects.back().writes) continue;
    const VirtualId id = item.registers[effects.back().write.place];
    if (id != no_virtual) ++writes[id];
  }
  for (std::size_t i = 0; i < block_.operations.size(); ++i) {
    const LinearOperation& item = block_.operations[i];
    if (!effects[i].writes || effects[i].write.file != File::s) continue;
    const VirtualId id = item.registers[effects[i].write.place];
    if (id == no_virtual || writes[id] != 1 || item.operation.predicate != 0) continue;
    const Symbolic value = result_of(item);
    const bool constant = value.root == 0;
    if (constant || !repeated[i]) always_[id] = value;
    now_.clear();
  }
  now_.clear();
  ranges_.clear();
}

void Values::begin_region(const Region& region) {
  const EntryRanges* entry = nullptr;
  if (entries_ != nullptr) {
    const auto found = entries_->find(region.first);
    if (found != entries_->end()) entry = &found->second;
  }
  begin_region(entry);
}

void Values::begin_region(const EntryRanges* entry) {
  now_.clear();
  ranges_.clear();
  comparisons_.clear();
  entry_ = entry;
}

Symbolic Values::unknown(const MaybeRange& range) {
  const std::uint32_t root = next_root_++;
  if (range) ranges_[root] = *range;
  return {root, 0, 0};
}

bool Values::is_constant(VirtualId id) const {
  const auto found = always_.find(id);
  return found != always_.end() && found->second.root == 0;
}

MaybeRange Values::range_of(const Symbolic& value) const {
  if (value.root == 0) return Range{value.anchor, value.offset, value.offset, 1};
  const auto found = ranges_.find(value.root);
  if (found == ranges_.end()) return std::nullopt;
  return shifted(found->second, value.anchor, value.offset);
}

Symbolic Values::scalar(const RegisterKey& key) {
  if (!key.is_virtual() && key.index == 0) return {};
  const auto found = now_.find(number_of(key));
  if (found != now_.end()) return found->second;
  if (key.is_virtual()) {
    const auto constant = always_.find(key.virtual_id);
    const EntryRanges::const_iterator range =
        entry_ == nullptr ? EntryRanges::const_iterator{} : entry_->find(key.virtual_id);
    const bool ranged = entry_ != nullptr && range != entry_->end();
    if (constant != always_.end()) {
      const Symbolic& value = constant->second;
      if (ranged && value.root != 0 && value.anchor == 0) {
        if (const auto of_root = shifted(range->second, 0, -value.offset)) {
          ranges_.emplace(value.root, *of_root);
        }
      }
      return value;
    }
    if (ranged) return now_[number_of(key)] = unknown(range->second);
  }
  return now_[number_of(key)] = unknown();
}

// A scalar operand, register or constant.
Symbolic Values::read(const LinearOperation& item, std::uint8_t place) {
  const Operand& operand = *instruction(item.operation.op).operands.items[place];
  const OperandValue& value = item.operation.operands[place];
  if (operand.kind == OperandKind::scalar_imm && value.extra != 0) {
    if (is_anchored(item, place)) {
      return {0, item.anchor == number_anchor ? 0 : item.anchor, item.anchor_offset};
    }
    return {0, 0, value.imm};
  }
  const VirtualId id = item.registers[place];
  return scalar(
      {File::s, id, id == no_virtual ? static_cast<std::uint8_t>(value.value) : std::uint8_t{0}});
}

Symbolic Values::address(const LinearOperation& item, std::uint8_t place) {
  const OperandValue& value = item.operation.operands[place];
  const VirtualId id = item.registers[place];
  Symbolic base = scalar(
      {File::s, id, id == no_virtual ? static_cast<std::uint8_t>(value.value) : std::uint8_t{0}});
  const Operand& operand = *instruction(item.operation.op).operands.items[place];
  if (is_anchored(item, place)) {
    const bool number = item.anchor == number_anchor;
    if (base.anchor != 0 && !number) return unknown();
    if (!number) base.anchor = item.anchor;
    base.offset += item.anchor_offset;
  } else {
    const std::int64_t unit = operand.kind == OperandKind::descriptor ? descriptor_words : 1;
    base.offset += value.imm * unit;
  }
  return base;
}

Symbolic Values::result_of(const LinearOperation& item) {
  switch (item.operation.op) {  // NOLINT: all others tell a range at most
    case Op::mov: return read(item, 1);
    case Op::add: {
      const Symbolic a = read(item, 1);
      const Symbolic b = read(item, 2);
      const bool plain = (a.root == 0 || b.root == 0) && (a.anchor == 0 || b.anchor == 0);
      if (!plain) return computed(item);
      return {std::max(a.root, b.root), std::max(a.anchor, b.anchor), a.offset + b.offset};
    }
    case Op::sub: {
      const Symbolic a = read(item, 1);
      const Symbolic b = read(item, 2);
      if (b.root != 0 || b.anchor != 0) return computed(item);
      return {a.root, a.anchor, a.offset - b.offset};
    }
    default: return computed(item);
  }
}

// By the ranges of the operands.
Symbolic Values::computed(const LinearOperation& item) {
  const Instruction& row = instruction(item.operation.op);
  if (row.group != Group::scalar || row.operands.count < 2) return unknown();
  if (item.operation.op == Op::sel) {
    return unknown(joined(range_of(read(item, 2)), range_of(read(item, 3))));
  }
  const MaybeRange a = range_of(read(item, 1));
  const MaybeRange b = row.operands.count > 2 ? range_of(read(item, 2)) : std::nullopt;
  return unknown(result_range(item.operation.op, a, b));
}

void Values::note_comparison(const LinearOperation& item, const Effects& effects) {
  const std::uint64_t key = number_of(key_of(item, effects.write));
  const bool sure = item.operation.predicate == 0 && !item.operation.negate;
  if (!sure || !is_comparison(item.operation.op)) {
    comparisons_.erase(key);
    return;
  }
  comparisons_[key] = {item.operation.op, read(item, 1), read(item, 2)};
}

const Comparison* Values::comparison(const RegisterKey& predicate) const {
  const auto found = comparisons_.find(number_of(predicate));
  return found == comparisons_.end() ? nullptr : &found->second;
}

void Values::execute(const LinearOperation& item, const Effects& effects) {
  if (!effects.writes) return;
  if (effects.write.file == File::p) return note_comparison(item, effects);
  if (effects.write.file != File::s) return;
  const RegisterKey key = key_of(item, effects.write);
  const auto constant = key.is_virtual() ? always_.find(key.virtual_id) : always_.end();
  const bool sure = item.operation.predicate == 0 && !item.operation.negate;
  if (constant != always_.end()) {
    const Symbolic& value = constant->second;
    if (value.root != 0 && value.anchor == 0) {
      const auto range = shifted(range_of(result_of(item)), 0, -value.offset);
      if (range) ranges_[value.root] = *range;
    }
    now_[number_of(key)] = value;
    return;
  }
  if (sure) {
    now_[number_of(key)] = result_of(item);
    return;
  }
  const MaybeRange old = range_of(scalar(key));
  now_[number_of(key)] = unknown(joined(old, range_of(result_of(item))));
}

}  // namespace tandem::schedule
