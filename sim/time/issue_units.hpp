// Until when the units are busy: VMEM with its load and store (tpu_load, tpu_store), EUP, XLU and
// the ports of the matrix unit (tpu_mxu). A start states its effect on later bundles; nothing
// ticks. "Free from" is the first cycle in which a bundle that wants the unit may issue.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/analysis/unit_time.hpp"
#include "isa/golden/core.hpp"
#include "isa/parameters.hpp"
#include "isa/timing.hpp"
#include "sim/time/issue_plan.hpp"

namespace tandem {

// Rows of a load or store that take part, and the cycles that they take.
struct VmemAccess {
  std::uint32_t rows = 0;
  std::uint32_t cycles = 0;  // rows in the fullest bank; 0 when no row takes part
};
VmemAccess vmem_access(const golden::Core& core, const golden::MicroOp& op, bool column);

class RowUnit {
 public:
  [[nodiscard]] std::uint64_t free_from() const { return free_from_; }
  void start(std::uint64_t cycle) { free_from_ = cycle + timing::row_unit; }

 private:
  std::uint64_t free_from_ = 0;
};

class VmemPorts {
 public:
  [[nodiscard]] std::uint64_t free_from() const { return free_from_; }
  // First cycle without a store still to do.
  [[nodiscard]] std::uint64_t idle_from() const { return idle_from_; }

  // A bundle with these accesses issues. The store begins in the load's last cycle.
  void start(std::uint64_t cycle, std::uint32_t load_cycles, std::uint32_t store_cycles) {
    const std::uint64_t load = std::max(load_cycles, 1U);
    free_from_ = cycle + load - 1 + std::max(store_cycles, 1U);
    if (store_cycles != 0) idle_from_ = free_from_ + 1;
  }

 private:
  std::uint64_t free_from_ = 0;
  std::uint64_t idle_from_ = 0;
};

class MxuPorts {
 public:
  explicit MxuPorts(std::uint32_t lanes) : lanes_(lanes) {}

  [[nodiscard]] std::uint64_t push_from(bool transposed, std::uint32_t row) const {
    return std::max(push_free_, push_after_release(transposed, row));
  }
  [[nodiscard]] std::uint64_t multiply_from() const { return left_free_; }
  [[nodiscard]] std::uint64_t read_from(std::uint32_t accumulator) const {
    return complete_[accumulator % accumulators];
  }
  [[nodiscard]] std::uint64_t idle_from() const { return idle_from_; }

  void push(std::uint64_t cycle) {
    push_free_ = cycle + timing::push;
    idle_from_ = std::max(idle_from_, push_free_ + 1);
  }
  void multiply(std::uint64_t cycle, std::uint32_t accumulator, std::uint32_t rows, bool swap) {
    const std::uint64_t shown = cycle + timing::multiply_row + lanes_ + rows - 1;  // last row
    left_free_ = cycle + rows;
    complete_[accumulator % accumulators] = shown;
    if (swap) swaps_.add(cycle);
    idle_from_ = std::max(idle_from_, shown + 1);
  }
  void read(std::uint64_t cycle) {
    idle_from_ = std::max(idle_from_, cycle + timing::acc_read + 1);
  }

 private:
  // The wavefront of the swap that released the buffer has passed what the push writes.
  [[nodiscard]] std::uint64_t push_after_release(bool transposed, std::uint32_t row) const {
    if (!swaps_.releasing()) return 0;
    const std::uint32_t age =
        transposed ? lanes_ : std::min(lanes_, row % 128 + timing::swap_refill);
    return *swaps_.releasing() + age;
  }

  std::uint32_t lanes_;
  std::uint64_t push_free_ = 0;
  std::uint64_t left_free_ = 0;
  SwapHistory<std::uint64_t> swaps_;  // cycles
  std::array<std::uint64_t, accumulators> complete_{};
  std::uint64_t idle_from_ = 0;
};

}  // namespace tandem
