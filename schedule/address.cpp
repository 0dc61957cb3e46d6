#include "schedule/address.hpp"

#include <algorithm>

namespace tandem::schedule {
namespace {

std::uint64_t number_of(const RegisterKey& key) {
  if (key.is_virtual()) return key.virtual_id;
  return (std::uint64_t{1} << 40U) + key.index;
}

// Bundle ranges that a backward branch may repeat, as one mark an operation.
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
}

void Values::begin_region() { now_.clear(); }

Symbolic Values::scalar(const RegisterKey& key) {
  if (!key.is_virtual() && key.index == 0) return {};
  const auto found = now_.find(number_of(key));
  if (found != now_.end()) return found->second;
  if (key.is_virtual()) {
    const auto constant = always_.find(key.virtual_id);
    if (constant != always_.end()) return constant->second;
  }
  return now_[number_of(key)] = unknown();
}

// A scalar operand, register or constant.
Symbolic Values::read(const LinearOperation& item, std::uint8_t place) {
  const Operand& operand = *instruction(item.operation.op).operands.items[place];
  const OperandValue& value = item.operation.operands[place];
  if (operand.kind == OperandKind::scalar_imm && value.extra != 0) {
    if (is_anchored(item, place)) return {0, item.anchor, item.anchor_offset};
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
    if (base.anchor != 0) return unknown();
    base.anchor = item.anchor;
    base.offset += item.anchor_offset;
  } else {
    const std::int64_t unit = operand.kind == OperandKind::descriptor ? descriptor_words : 1;
    base.offset += value.imm * unit;
  }
  return base;
}

Symbolic Values::result_of(const LinearOperation& item) {
  switch (item.operation.op) {
    case Op::mov: return read(item, 1);
    case Op::add: {
      const Symbolic a = read(item, 1);
      const Symbolic b = read(item, 2);
      if ((a.root != 0 && b.root != 0) || (a.anchor != 0 && b.anchor != 0)) return unknown();
      return {std::max(a.root, b.root), std::max(a.anchor, b.anchor), a.offset + b.offset};
    }
    case Op::sub: {
      const Symbolic a = read(item, 1);
      const Symbolic b = read(item, 2);
      if (b.root != 0 || b.anchor != 0) return unknown();
      return {a.root, a.anchor, a.offset - b.offset};
    }
    default: return unknown();
  }
}

void Values::execute(const LinearOperation& item, const Effects& effects) {
  if (!effects.writes || effects.write.file != File::s) return;
  const RegisterKey key = key_of(item, effects.write);
  const auto constant = key.is_virtual() ? always_.find(key.virtual_id) : always_.end();
  if (constant != always_.end()) {
    now_[number_of(key)] = constant->second;
    return;
  }
  const bool sure = item.operation.predicate == 0 && !item.operation.negate;
  const Symbolic value = sure ? result_of(item) : unknown();
  now_[number_of(key)] = value;
}

}  // namespace tandem::schedule
