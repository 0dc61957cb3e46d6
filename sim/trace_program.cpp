#include "sim/trace_program.hpp"

#include <algorithm>

#include "isa/source_place.hpp"
#include "isa/text.hpp"
#include "isa/timing.hpp"

namespace tandem::trace {
namespace {

const OperandValue* find_operand(const Operation& operation, OperandKind kind) {
  const OperandList& list = instruction(operation.op).operands;
  for (std::size_t i = 0; i < list.count; ++i) {
    if (list.items[i]->kind == kind) return &operation.operands[i];
  }
  return nullptr;
}

std::uint32_t row_count(const Operation& operation) {
  const OperandValue* rows = find_operand(operation, OperandKind::rows);
  return rows == nullptr ? sublanes : static_cast<std::uint32_t>(rows->value);
}

// Cycles of a VMEM access with every row enabled: distinct rows in the fullest bank. That depends
// on the stride alone. The column form (no stride) reads eight words, which lie in two rows at
// most.
std::uint32_t bank_cycles(const Operation& operation) {
  const OperandValue* stride = find_operand(operation, OperandKind::stride);
  if (stride == nullptr || stride->value == 0) return 1;
  std::array<std::uint32_t, vmem_banks> rows_in{};
  for (std::uint32_t row = 0; row < row_count(operation); ++row) {
    ++rows_in[static_cast<std::uint32_t>(stride->value) * row % vmem_banks];
  }
  return *std::max_element(rows_in.begin(), rows_in.end());
}

}  // namespace

UnitUse unit_use(const Operation& operation, Slot slot) {
  switch (instruction(operation.op).latency) {
    case Latency::scalar:
    case Latency::scalar_load:
    case Latency::control:
    case Latency::valu:
    case Latency::copy:
    case Latency::wait: return {slot, Track::none, 1};
    case Latency::load: return {slot, Track::unit_load, bank_cycles(operation)};
    case Latency::store: return {slot, Track::unit_store, bank_cycles(operation)};
    case Latency::push: return {slot, Track::unit_push, timing::push};
    case Latency::multiply: return {slot, Track::unit_multiply, row_count(operation)};
    case Latency::acc_read: return {slot, Track::unit_read, timing::acc_read};
    case Latency::eup: return {slot, Track::unit_eup, timing::row_unit};
    case Latency::xlu: return {slot, Track::unit_xlu, timing::row_unit};
  }
  __builtin_unreachable();
}

std::uint32_t Program::name_number(const std::string& name) {
  const auto [found, added] =
      numbers_.try_emplace(name, static_cast<std::uint32_t>(names_.size() + 1));
  if (added) names_.push_back(&found->first);
  return found->second;
}

void Program::look_up_operation(const Operation& operation, Slot slot, BundleView& view) {
  const auto bit = static_cast<std::uint16_t>(1U << static_cast<unsigned>(slot));
  const UnitUse use = unit_use(operation, slot);
  if (use.unit != Track::none) view.units.push_back(use);
  const Latency latency = instruction(operation.op).latency;
  if (latency == Latency::load) view.reads_vmem |= bit;
  if (latency == Latency::scalar_load) view.reads_smem |= bit;
  if (latency == Latency::copy) view.reads_smem |= bit;  // its descriptor
  if (latency == Latency::wait) {
    view.waits = bit;
    view.flag = static_cast<std::uint32_t>(operation.operands[0].value);
  }
  if (operation.op == Op::marker) {
    view.marks = bit;
    view.code = static_cast<std::uint32_t>(operation.operands[0].value);
  }
}

void Program::look_up(std::uint32_t pc, BundleView& view) {
  view.location = pc + 1;
  view.place = name_number(place_name(image_, pc));
  const auto label_of = [this](std::uint32_t target) { return place_name(image_, target); };
  for (std::size_t i = 0; i < slot_count; ++i) {
    const auto slot = static_cast<Slot>(i);
    const SlotBits bits = slot_bits(image_.text[pc], slot);
    if (is_empty(bits)) continue;
    const std::optional<Operation> operation = decode(slot, bits);
    if (!operation) continue;  // it traps and never issues
    view.names[i] = name_number(operation_text(*operation, label_of));
    look_up_operation(*operation, slot, view);
  }
}

}  // namespace tandem::trace
