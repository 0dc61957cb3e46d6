#include "sim/counters/cycle_steps.hpp"

#include <algorithm>

namespace tandem {

void add_steps(StepList& sum, const StepList& more) {
  StepList merged;
  merged.reserve(sum.size() + more.size());
  auto left = sum.begin();
  auto right = more.begin();
  while (left != sum.end() || right != more.end()) {
    const bool has_left = left != sum.end() && (right == more.end() || left->step <= right->step);
    const bool has_right = right != more.end() && (left == sum.end() || right->step <= left->step);
    StepCycles next{has_left ? left->step : right->step, 0};
    if (has_left) next.cycles += (left++)->cycles;
    if (has_right) next.cycles += (right++)->cycles;
    merged.push_back(next);
  }
  sum = std::move(merged);
}

StepList wider_steps(const StepList& steps) {
  StepList wide;
  for (const StepCycles& part : steps) {
    if (wide.empty() || wide.back().step != part.step / 2) wide.push_back({part.step / 2, 0});
    wide.back().cycles += part.cycles;
  }
  return wide;
}

void CycleSteps::add_range(std::size_t row, std::uint64_t first, std::uint64_t count) {
  if (count == 0) return;
  if (row >= rows_.size()) rows_.resize(row + 1);
  const std::uint64_t end = first + count;
  while ((end - 1) >> shift_ >= most_steps) widen();
  while (first != end) {
    const std::uint64_t step = first >> shift_;
    const std::uint64_t until = std::min(end, (step + 1) << shift_);
    add(row, step, until - first);
    first = until;
  }
  // A row needs an entry at least, so that four of each can be halved.
  if (entries_ > std::max(most_entries, 4 * rows_.size())) widen();
}

void CycleSteps::add(std::size_t row, std::uint64_t step, std::uint64_t cycles) {
  StepList& steps = rows_[row];
  if (steps.empty() || steps.back().step != step) {
    steps.push_back({step, 0});
    ++entries_;
  }
  steps.back().cycles += cycles;
}

void CycleSteps::widen() {
  ++shift_;
  entries_ = 0;
  for (StepList& steps : rows_) {
    steps = wider_steps(steps);
    entries_ += steps.size();
  }
}

}  // namespace tandem
