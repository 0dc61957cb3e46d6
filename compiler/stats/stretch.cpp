#include "compiler/stats/stretch.hpp"

#include <algorithm>
#include <cmath>

#include "compiler/tpu/dialect.hpp"
#include "isa/timing.hpp"

namespace tandem::compiler {
namespace {

// Rows of VMEM that the operation certainly touches: those at known addresses.
llvm::SmallVector<std::int64_t> rows_of(mlir::Operation* op) {
  llvm::SmallVector<std::int64_t> rows;
  if (!op->hasAttr("absolute")) return rows;
  const std::int64_t stride = number_of(op, "stride", 1);
  for (std::int64_t row = 0; row < number_of(op, "rows", sublanes); ++row) {
    rows.push_back(number_of(op, "address", 0) + row * stride);
  }
  return rows;
}

}  // namespace

double Stretch::start_of(mlir::Operation* op, const UnitTime& time) {
  double start = 0;
  for (const mlir::Value operand : op->getOperands()) start = std::max(start, ready(operand));
  if (time.unit == Bound::load || time.unit == Bound::store) {
    for (const std::int64_t row : rows_of(op)) {
      if (const auto found = stored_.find(row); found != stored_.end()) {
        start = std::max(start, found->second);
      }
    }
  }
  if (is_push(op)) {
    start = std::max(start, push_free_);
    // The next weights can enter a buffer when those before them have moved on.
    if (swaps_.releasing()) start = std::max(start, *swaps_.releasing() + timing::swap_refill);
    push_free_ = start + time.busy;
  } else if (is_multiply(op)) {
    // Weights that have just been pushed can be taken when the push has passed through.
    if (op->hasAttr("swap")) start = std::max(start, push_free_);
    start = std::max(start, multiply_free_);
    multiply_free_ = start + time.busy;
    if (op->hasAttr("swap")) swaps_.add(start);
  } else if (is_result_read(op)) {
    start = std::max(start, sums_[number_of(op, "acc", 0)]);
  }
  return start;
}

// The first cycle from which the unit is free for as long as the operation needs it.
double Stretch::reserve(const UnitTime& time, double earliest) {
  auto& taken = taken_[static_cast<std::size_t>(time.unit)];
  const std::uint8_t share = time.busy == 0.5 ? 1 : 2;
  const auto length = static_cast<std::size_t>(std::max(1.0, std::ceil(time.busy)));
  auto at = static_cast<std::size_t>(std::ceil(earliest));
  for (std::size_t free = 0; free < length;) {
    if (taken.size() < at + length) taken.resize(2 * (at + length));
    if (taken[at + free] + share <= 2) {
      ++free;
    } else {
      at += free + 1;
      free = 0;
    }
  }
  for (std::size_t i = 0; i < length; ++i) taken[at + i] += share;
  return static_cast<double>(at);
}

void Stretch::note_memory(mlir::Operation* op, Bound unit, double start, double done) {
  if (is_multiply(op)) sums_[number_of(op, "acc", 0)] = done;
  if (unit != Bound::store) return;
  for (const std::int64_t row : rows_of(op)) stored_[row] = start + 1;
}

void Stretch::add(mlir::Operation* op) {
  const UnitTime time = unit_time(op, *machine_);
  double start = start_of(op, time);
  const bool has_port = is_push(op) || is_multiply(op);
  if (time.busy > 0 && !has_port) start = reserve(time, start);
  const double done = start + time.latency;
  for (const mlir::Value result : op->getResults()) ready_[result] = done;
  note_memory(op, time.unit, start, done);
  once_ = std::max({once_, start + 1, done});
  const auto region = region_of(op->getLoc());
  Cost& cost = costs_[region ? static_cast<std::int64_t>(*region) : -1];
  // Pushes and multiplies go through ports of their own.
  cost.busy[static_cast<std::size_t>(time.unit)] += is_push(op) ? 0 : time.busy;
  cost.pushes += is_push(op) ? time.busy : 0;
  if (time.unit == Bound::load || time.unit == Bound::store) {
    cost.vmem += static_cast<double>(number_of(op, "rows", sublanes)) * machine_->row_bytes();
  }
}

Cost Stretch::sum() const {
  Cost sum;
  for (const auto& [region, cost] : costs_) sum.add_work(cost);
  return sum;
}

void Stretch::hand_out(double cycles, double times, ProgramCost& program) const {
  double all = 0;
  for (const auto& [region, cost] : costs_) all += cost.roof();
  for (const auto& [region, cost] : costs_) {
    Cost& into = region < 0 ? program.rest : program.regions[static_cast<unsigned>(region)];
    into.add_work(cost, times);
    into.cycles +=
        all > 0 ? cycles * cost.roof() / all : cycles / static_cast<double>(costs_.size());
  }
}

}  // namespace tandem::compiler
