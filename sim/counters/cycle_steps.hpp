// Cycles of many rows over time, each kept only where it has any: which bundles ran when. Steps
// become twice as wide whenever a run outgrows them, so that memory fits a run of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tandem {

struct StepCycles {
  std::uint64_t step = 0;  // cycles step * width .. (step + 1) * width - 1
  std::uint64_t cycles = 0;

  bool operator==(const StepCycles&) const = default;
};
using StepList = std::vector<StepCycles>;  // ascending steps

// Adds `more` to `sum`.
void add_steps(StepList& sum, const StepList& more);
// The same with steps of twice the width.
StepList wider_steps(const StepList& steps);

class CycleSteps {
 public:
  static constexpr std::uint64_t most_steps = 512;
  static constexpr std::size_t most_entries = std::size_t{1} << 20U;  // of all rows together

  // `count` cycles of a row; `first` must not be before what the row has.
  void add_range(std::size_t row, std::uint64_t first, std::uint64_t count);

  // Cycles of a step, a power of two.
  [[nodiscard]] std::uint64_t width() const { return std::uint64_t{1} << shift_; }
  [[nodiscard]] StepList row(std::size_t row) const {
    return row < rows_.size() ? rows_[row] : StepList{};
  }

 private:
  void add(std::size_t row, std::uint64_t step, std::uint64_t cycles);
  void widen();

  std::vector<StepList> rows_;
  std::size_t entries_ = 0;
  unsigned shift_ = 0;
};

}  // namespace tandem
