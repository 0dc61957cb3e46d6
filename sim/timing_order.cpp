#include "sim/timing_order.hpp"

#include <algorithm>

namespace tandem {

std::uint64_t OrderedTiming::next_memory_cycle() const {
  std::uint64_t cycle = dones_.cycle();
  for (const auto& path : beats_) cycle = std::min(cycle, path.cycle());
  return cycle;
}

void OrderedTiming::pass_issue_side(std::uint64_t before) {
  while (true) {
    const std::uint64_t issue = issues_.cycle();
    const std::uint64_t loss = losses_.cycle();
    if (std::min(issue, loss) >= before) return;
    if (loss <= issue) {
      next_.lost(losses_.take());
      continue;
    }
    if (starts_.cycle() <= issue) next_.copy_started(starts_.take());
    next_.issued(issues_.take());
  }
}

void OrderedTiming::pass_memory_side(std::uint64_t cycle) {
  while (dones_.cycle() == cycle) next_.copy_done(dones_.take());
  for (auto& path : beats_) {
    while (path.cycle() == cycle) next_.beats(path.take());
  }
}

void OrderedTiming::pass(std::uint64_t cycle) {
  while (true) {
    const std::uint64_t memory = std::min(next_memory_cycle(), cycle);
    pass_issue_side(std::min(cycle, memory == cycle ? cycle : memory + 1));
    if (memory == cycle) break;
    pass_memory_side(memory);
  }
  issues_.drop_taken();
  losses_.drop_taken();
  starts_.drop_taken();
  dones_.drop_taken();
  for (auto& path : beats_) path.drop_taken();
}

void OrderedTiming::progress(std::uint64_t cycle) {
  pass(cycle);
  next_.progress(cycle);
}

void OrderedTiming::ended(std::uint64_t cycles) {
  pass(never);
  next_.ended(cycles);
}

}  // namespace tandem
