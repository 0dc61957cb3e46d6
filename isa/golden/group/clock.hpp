// Logical time in a group of chips: what a chip knows to have happened before, on every chip.
//
// Each chip counts its own time, which goes on with every copy that it sends to another one. A copy
// carries what its sender knew when it was started; the wait that proves it complete takes that
// over. So what a chip did at its time t has surely happened before what another does if that one
// knows t.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/golden/group/touch_times.hpp"
#include "isa/parameters.hpp"

namespace tandem::golden {

// By chip: the latest time of it that is known. Times begin at 1; 0 is before all starts.
using Clock = std::vector<Time>;

inline void take_over(Clock& mine, const Clock& other) {
  std::transform(mine.begin(), mine.end(), other.begin(), mine.begin(),
                 [](Time a, Time b) { return std::max(a, b); });
}

// What the race detector of a chip keeps in a group.
struct ChipTimes {
  ChipTimes(std::uint32_t number, std::uint32_t chips) : chip(number), now(chips) {
    now[number] = 1;
    for (Flag& flag : flags) flag.proved.assign(chips, 0);
  }

  std::uint32_t chip;
  Clock now;
  // When this chip last touched a place: by its loads and stores, by copies that a wait has proved
  // complete.
  TouchTimes vmem;
  TouchTimes hbm;
  struct Flag {
    std::vector<Time> proved;  // by chip: the last wait that only an add of that chip could end
    Time set = 0;              // the last fset
    std::uint32_t set_pc = 0;
    std::uint32_t wait_pc = 0;
  };
  std::array<Flag, sync_flags> flags;

  [[nodiscard]] Time time() const { return now[chip]; }
};

}  // namespace tandem::golden
