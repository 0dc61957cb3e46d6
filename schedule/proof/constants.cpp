#include "schedule/proof/constants.hpp"

namespace tandem::schedule::proof {

Constants::Constants(const LinearBlock& block) : block_(block), known_(block.virtuals.size()) {
  find_repeated();
  std::vector<std::uint32_t> writes(block.virtuals.size(), 0);
  std::vector<VirtualId> written(block.operations.size(), no_virtual);
  for (std::size_t i = 0; i < block.operations.size(); ++i) {
    const Effects effects = effects_of(block.operations[i].operation);
    if (!effects.writes) continue;
    written[i] = block.operations[i].registers[effects.write.place];
    if (written[i] != no_virtual) ++writes[written[i]];
  }
  for (std::size_t i = 0; i < block.operations.size(); ++i) {
    const VirtualId id = written[i];
    const Operation& operation = block.operations[i].operation;
    const bool sure = operation.predicate == 0 && !operation.negate;
    if (id == no_virtual || writes[id] != 1 || !sure || block.virtuals[id].file != File::s)
      continue;
    std::optional<Known> value = result(block.operations[i]);
    const bool constant = value && value->root == no_virtual;
    if (!constant && repeated_[i]) continue;
    known_[id] = value ? value : Known{id, 0, 0};
  }
}

// Whether an operation can be reached from itself: from its flow's successors on.
void Constants::find_repeated() {
  const std::size_t count = block_.operations.size();
  repeated_.assign(count, false);
  // Every cycle contains a branch to above itself, and is between the two or between those of
  // others that overlap: mark the spans.
  std::vector<std::int32_t> depth(count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const LabelId target = block_.operations[i].target;
    if (target == no_label || block_.labels[target] > i) continue;
    ++depth[block_.labels[target]];
    --depth[i + 1];
  }
  std::int32_t now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    now += depth[i];
    repeated_[i] = now > 0;
  }
}

std::optional<Constants::Known> Constants::operand(const LinearOperation& item,
                                                   std::uint8_t place) const {
  const OperandValue& value = item.operation.operands[place];
  const Operand& operand = *instruction(item.operation.op).operands.items[place];
  if (operand.kind == OperandKind::scalar_imm && value.extra != 0) {
    if (is_anchored(item, place)) {
      return Known{no_virtual, item.anchor == number_anchor ? 0 : item.anchor, item.anchor_offset};
    }
    return Known{no_virtual, 0, value.imm};
  }
  const VirtualId id = item.registers[place];
  if (id == no_virtual) return value.value == 0 ? std::optional(Known{}) : std::nullopt;
  return known_[id];
}

std::optional<Constants::Known> Constants::result(const LinearOperation& item) const {
  if (item.operation.op == Op::mov) return operand(item, 1);
  if (item.operation.op != Op::add && item.operation.op != Op::sub) return std::nullopt;
  auto a = operand(item, 1);
  auto b = operand(item, 2);
  if (!a || !b) return std::nullopt;
  const bool adds = item.operation.op == Op::add;
  if (adds && a->root == no_virtual) std::swap(a, b);
  if (b->root != no_virtual || (a->anchor != 0 && b->anchor != 0)) return std::nullopt;
  if (!adds && b->anchor != 0) return std::nullopt;
  return Known{a->root, std::max(a->anchor, b->anchor),
               adds ? a->offset + b->offset : a->offset - b->offset};
}

}  // namespace tandem::schedule::proof
