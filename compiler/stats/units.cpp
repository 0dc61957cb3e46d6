#include "compiler/stats/units.hpp"

#include <cmath>

#include "compiler/tpu/dialect.hpp"
#include "isa/descriptor.hpp"
#include "isa/timing.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler {
namespace {

bool has_latency(mlir::Operation* op, Latency latency) {
  const Instruction* row = instruction_of(op);
  return row != nullptr && row->latency == latency;
}

// Rows in one bank are accessed one after the other.
double bank_cycles(mlir::Operation* op) {
  const std::int64_t stride = number_of(op, "stride", 1);
  const std::int64_t rows = number_of(op, "rows", sublanes);
  const std::int64_t banks = vmem_banks;
  std::int64_t apart = 1;  // rows in one bank
  while (apart < banks && stride % (apart * 2) == 0) apart *= 2;
  if (stride == 0) return static_cast<double>(1);
  const std::int64_t different = banks / apart;
  return static_cast<double>(std::max<std::int64_t>(1, (rows + different - 1) / different));
}

UnitTime machine_time(mlir::Operation* op, const Instruction& row, const Parameters& machine) {
  const double banks = row.group == Group::load || row.group == Group::store ? bank_cycles(op) : 1;
  switch (row.latency) {
    case Latency::scalar: return {Bound::scalar, row.group == Group::smem ? 1 : 0.5, 1};
    case Latency::scalar_load: return {Bound::scalar, 1, timing::scalar_load + 1};
    case Latency::control: return {Bound::scalar, 1, 1};
    case Latency::valu: return {Bound::vector, 0.5, timing::valu + 1};
    case Latency::load: return {Bound::load, banks, banks + timing::load};
    case Latency::store: return {Bound::store, banks, 1};
    case Latency::push: return {Bound::mxu, timing::push, 1};
    case Latency::multiply: {
      const auto rows = static_cast<double>(number_of(op, "rows", sublanes));
      return {Bound::mxu, rows, timing::multiply_row + machine.lanes + rows - 1};
    }
    case Latency::acc_read: return {Bound::mxu, 1, timing::acc_read + 1};
    case Latency::eup: return {Bound::eup, timing::row_unit, timing::row_unit_result + 1};
    case Latency::xlu: return {Bound::xlu, timing::row_unit, timing::row_unit_result + 1};
    case Latency::copy: return {Bound::scalar, 0.5, 1};
    case Latency::wait: return {Bound::scalar, 0.5, 1};
  }
  return {};
}

}  // namespace

UnitTime unit_time(mlir::Operation* op, const Parameters& machine) {
  if (const Instruction* row = instruction_of(op)) return machine_time(op, *row, machine);
  if (mlir::isa<mlir::arith::ConstantOp, mlir::arith::IndexCastOp, mlir::arith::IndexCastUIOp>(op))
    return {Bound::scalar, 0, 0};
  if (mlir::isa<mlir::arith::ArithDialect>(op->getDialect())) return {Bound::scalar, 0.5, 1};
  return {Bound::scalar, 0, 0};
}

std::int64_t number_of(mlir::Operation* op, llvm::StringRef name, std::int64_t otherwise) {
  const auto value = op->getAttrOfType<mlir::IntegerAttr>(name);
  return value ? value.getInt() : otherwise;
}

bool is_push(mlir::Operation* op) { return has_latency(op, Latency::push); }
bool is_multiply(mlir::Operation* op) { return has_latency(op, Latency::multiply); }
bool is_result_read(mlir::Operation* op) { return has_latency(op, Latency::acc_read); }

CopyTime copy_time(mlir::Operation* copy, const Parameters& machine) {
  CopyTime time;
  const auto words = descriptor_words_of(copy);
  if (!words) return time;
  const CopyDescriptor descriptor = descriptor_of(*words);
  double runs = 1;
  for (const CopyDescriptor::Dimension& dimension : descriptor.dimensions) runs *= dimension.count;
  const double bytes = runs * descriptor.length;
  const auto beat = static_cast<double>(machine.beat_bytes());
  const double beats = runs * std::ceil(descriptor.length / beat);
  if (descriptor.source_space == MemorySpace::hbm) time.hbm_in = bytes;
  if (descriptor.destination_space == MemorySpace::hbm) time.hbm_out = bytes;
  time.cycles = beats;
  time.flag = descriptor.flag;
  return time;
}

}  // namespace tandem::compiler
