// A part of a run: a range of cycles.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tandem {

struct CycleWindow {
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  std::uint64_t first = 0;
  std::uint64_t end = never;  // the cycle after the last

  [[nodiscard]] bool contains(std::uint64_t cycle) const { return first <= cycle && cycle < end; }
  [[nodiscard]] bool is_whole_run() const { return first == 0 && end == never; }
  // Clips a run of cycles, given as LostCycles or MemoryBeats, to the window; returns whether
  // anything is left.
  template <typename Cycles>
  [[nodiscard]] bool clip(Cycles& cycles) const {
    const std::uint64_t from = std::max(cycles.first, first);
    const std::uint64_t to = std::min(cycles.first + cycles.count, end);
    cycles.first = from;
    cycles.count = from < to ? to - from : 0;
    return cycles.count != 0;
  }
};

}  // namespace tandem
