// The state of a machine as it was a few thousand cycles ago, kept while it runs, so that the
// cycles before a mismatch can be repeated without running from the start.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/state/memory.hpp"
#include "runtime/models/machine.hpp"

namespace tandem {

class RecentStates {
 public:
  // Cycles between two states. Two are kept, so one is always at least this old. Saving one costs a
  // copy of the chip's state, and of the pages of HBM that are written after it.
  static constexpr std::uint64_t spacing = 8192;

  struct Entry {
    std::uint64_t cycle = 0;
    SparseMemory hbm{0};
    std::vector<std::uint8_t> state;  // Machine::save_to()
  };

  // To be called between cycles, periodically; saves when it is time. The first call of a run saves
  // immediately.
  void note(Machine& machine);
  // The newest state of this cycle or an earlier one; without any, the oldest.
  [[nodiscard]] const Entry& before(std::uint64_t cycle) const;

 private:
  std::array<Entry, 2> entries_;  // the older one first
  std::size_t count_ = 0;
};

}  // namespace tandem
