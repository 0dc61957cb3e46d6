#include "sim/events/unit_use.hpp"

#include <algorithm>
#include <array>

#include "isa/parameters.hpp"
#include "isa/timing.hpp"

namespace tandem {
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

std::optional<UnitUse> unit_use(const Operation& operation) {
  switch (instruction(operation.op).latency) {
    case Latency::scalar:
    case Latency::scalar_load:
    case Latency::control:
    case Latency::valu:
    case Latency::copy:
    case Latency::wait: return std::nullopt;
    case Latency::load: return UnitUse{Unit::load, bank_cycles(operation)};
    case Latency::store: return UnitUse{Unit::store, bank_cycles(operation)};
    case Latency::push: return UnitUse{Unit::push, timing::push};
    case Latency::multiply: return UnitUse{Unit::multiply, row_count(operation)};
    case Latency::acc_read: return UnitUse{Unit::read, timing::acc_read};
    case Latency::eup: return UnitUse{Unit::eup, timing::row_unit};
    case Latency::xlu: return UnitUse{Unit::xlu, timing::row_unit};
  }
  __builtin_unreachable();
}

}  // namespace tandem
