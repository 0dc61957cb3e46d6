// Numbers in scalar registers, and the places of memory that operations touch.
#include <algorithm>

#include "schedule/proof/validator.hpp"

namespace tandem::schedule::proof {

Number Validator::number_of(Value value) const {
  if (value >= 0) {
    const auto found = numbers_.find(value);
    return found == numbers_.end() ? Number{value, 0, 0} : found->second;
  }
  const Key key = key_of_initial(value);
  if (key >= machine_registers) {
    if (const auto known = constants_.find(key - machine_registers)) {
      return {
          known->root == no_virtual ? Number::no_base : initial(machine_registers + known->root),
          known->anchor, known->offset};
    }
  }
  return {value, 0, 0};
}

Number Validator::scalar(const LinearOperation& item, std::uint8_t place) const {
  const OperandValue& value = item.operation.operands[place];
  const Operand& operand = *instruction(item.operation.op).operands.items[place];
  if (operand.kind == OperandKind::scalar_imm && value.extra != 0) {
    if (is_anchored(item, place)) return {Number::no_base, anchor_of(item), item.anchor_offset};
    return {Number::no_base, 0, value.imm};
  }
  const VirtualId id = item.registers[place];
  const bool is_scalar = id == no_virtual || block_.virtuals[id].file == File::s;
  if (!is_scalar || (id == no_virtual && value.value == 0)) return {};
  return number_of(
      get(path_.linear, id == no_virtual ? static_cast<Key>(value.value) : machine_registers + id));
}

Number Validator::number_written(const LinearOperation& item, bool partial, Value value) const {
  const Number unknown{value, 0, 0};
  if (partial) return unknown;
  if (item.operation.op == Op::mov) return scalar(item, 1);
  const bool adds = item.operation.op == Op::add || item.operation.op == Op::sub;
  if (!adds) return unknown;
  Number a = scalar(item, 1);
  Number b = scalar(item, 2);
  if (item.operation.op == Op::add && a.base == Number::no_base) std::swap(a, b);
  if (b.base != Number::no_base || (b.anchor != 0 && a.anchor != 0)) return unknown;
  if (item.operation.op == Op::sub && b.anchor != 0) return unknown;
  const std::int64_t offset = item.operation.op == Op::add ? b.offset : -b.offset;
  return {a.base, std::max(a.anchor, b.anchor), a.offset + offset};
}

std::optional<Number> Validator::address(const LinearOperation& item, std::uint8_t place) const {
  Number at = scalar(item, place);
  const OperandValue& value = item.operation.operands[place];
  const Operand& operand = *instruction(item.operation.op).operands.items[place];
  if (is_anchored(item, place)) {
    if (at.anchor != 0 && anchor_of(item) != 0) return std::nullopt;
    at.anchor = std::max(at.anchor, anchor_of(item));
    at.offset += item.anchor_offset;
  } else {
    at.offset += value.imm * std::int64_t{operand.kind == OperandKind::descriptor ? 16 : 1};
  }
  return at;
}

void Validator::note_places(const LinearOperation& item, const Effects& effects,
                            Instance& instance) {
  const Instruction& row = instruction(item.operation.op);
  for (std::uint8_t place = 0; place < row.operands.count; ++place) {
    const Operand& operand = *row.operands.items[place];
    const VirtualId id = item.registers[place];
    if (operand.kind == OperandKind::weight_row) instance.row = address(item, place);
    if (operand.kind == OperandKind::descriptor) {
      add_place(item, instance, {LocalMemory::smem, false, true, {}, 16, 1}, place);
    }
    if (operand.kind != OperandKind::accumulator) continue;
    if (id != no_virtual && block_.virtuals[id].file == File::a) continue;
    const bool writes = operand.access == Access::write;
    add_place(item, instance, {LocalMemory::none, writes, true, {}, 1, 1}, place);
  }
  const MemoryUse& use = effects.memory;
  if (use.space == LocalMemory::none) return;
  const bool exact = use.extent_known && !use.in_words;
  add_place(item, instance, {use.space, use.writes, exact, {}, use.units, use.stride}, use.place);
  if (use.extent_known && use.in_words) {
    instance.touched.back().hull =
        rows_of(bounds_.touched(instance.operation, use.place, use.units, use.stride));
  }
  // A promise covers the places reached through a register, whatever the unit of its address.
  if (use.extent_known) instance.touched.back().through = item.registers[use.place];
}

// The rows that contain words.
MaybeBound Validator::rows_of(const MaybeBound& words) const {
  constexpr std::int64_t end = std::int64_t{1} << 32U;
  if (lanes_ == 0 || !words || words->anchor != 0 || words->first < 0 || words->last >= end) {
    return std::nullopt;
  }
  return Bound{0, words->first / lanes_, words->last / lanes_, 1};
}

void Validator::add_place(const LinearOperation& item, Instance& instance, Touched touched,
                          std::uint8_t place) {
  const auto at = address(item, place);
  if (touched.exact) {
    touched.hull = bounds_.touched(instance.operation, place, touched.units, touched.stride);
    const VirtualId id = item.registers[place];
    if (touched.space != LocalMemory::none) touched.through = id;
  }
  touched.exact = touched.exact && at.has_value();
  if (at) touched.at = *at;
  instance.touched.push_back(touched);
}

}  // namespace tandem::schedule::proof
