#include "isa/analysis/unit_time.hpp"

#include <algorithm>

namespace tandem {
namespace {

// Rows r and r' share a bank when (r - r') * stride is a multiple of the banks.
std::uint32_t bank_cycles(const MemoryUse& use) {
  if (use.in_words || use.stride == 0 || use.stride % 2 != 0) return 1;
  const auto step = static_cast<std::uint32_t>(use.stride);
  const std::uint32_t shared = std::min(vmem_banks, step & (~step + 1));
  const std::uint32_t period = vmem_banks / shared;
  return (static_cast<std::uint32_t>(use.units) + period - 1) / period;
}

std::uint32_t multiply_rows(const Operation& operation) {
  const Instruction& row = instruction(operation.op);
  for (std::size_t i = 0; i < row.operands.count; ++i) {
    if (row.operands.items[i]->kind != OperandKind::rows) continue;
    return static_cast<std::uint32_t>(operation.operands[i].value);
  }
  return sublanes;
}

}  // namespace

Unit unit_of(const Effects& effects) {
  switch (effects.latency) {
    case Latency::load:
    case Latency::store: return Unit::vmem;
    case Latency::push: return Unit::push_port;
    case Latency::multiply: return Unit::left_port;
    case Latency::eup: return Unit::eup;
    case Latency::xlu: return Unit::xlu;
    case Latency::scalar:
    case Latency::scalar_load:
    case Latency::control:
    case Latency::valu:
    case Latency::acc_read:
    case Latency::copy:
    case Latency::wait: return Unit::none;
  }
  return Unit::none;
}

std::uint32_t unit_cycles(const Effects& effects, const Operation& operation) {
  switch (unit_of(effects)) {
    case Unit::vmem: return bank_cycles(effects.memory);
    case Unit::eup:
    case Unit::xlu: return timing::row_unit;
    case Unit::push_port: return timing::push;
    case Unit::left_port: return multiply_rows(operation);
    case Unit::none: return 1;
  }
  return 1;
}

std::uint32_t result_cycles(const Effects& effects, const Operation& operation,
                            std::uint32_t lanes) {
  switch (effects.latency) {
    case Latency::scalar_load: return timing::scalar_load + 1;
    case Latency::valu: return timing::valu + 1;
    case Latency::load: return bank_cycles(effects.memory) + timing::load;
    case Latency::acc_read: return timing::acc_read + 1;
    case Latency::eup:
    case Latency::xlu: return timing::row_unit_result + 1;
    case Latency::multiply: return timing::multiply_row + lanes + multiply_rows(operation) - 1;
    case Latency::scalar:
    case Latency::control:
    case Latency::store:
    case Latency::push:
    case Latency::copy:
    case Latency::wait: return 1;
  }
  return 1;
}

std::uint32_t push_after_release(bool transposed, std::uint32_t row, std::uint32_t lanes) {
  return transposed ? lanes : std::min(lanes, row + timing::swap_refill);
}

}  // namespace tandem
