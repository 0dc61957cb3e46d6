// Logical time in a group of chips: the events on every chip that a chip knows to have happened
// before.
//
// Each chip counts its own time, which advances with every copy that it sends to another one. A
// copy carries its sender's knowledge at the start; the wait that proves it complete merges that.
// So an action of a chip at its time t surely happened before the actions of another chip that
// knows t.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/golden/group/touch_times.hpp"
#include "isa/parameters.hpp"

namespace tandem::golden {

// By chip: its latest known time. Times begin at 1; 0 is before all starts.
using Clock = std::vector<Time>;

inline void take_over(Clock& mine, const Clock& other) {
  std::transform(mine.begin(), mine.end(), other.begin(), mine.begin(),
                 [](Time a, Time b) { return std::max(a, b); });
}

// The state of a chip's race detector in a group.
struct ChipTimes {
  ChipTimes(std::uint32_t number, std::uint32_t chips) : chip(number), now(chips) {
    now[number] = 1;
    for (Flag& flag : flags) flag.proved.assign(chips, 0);
  }

  std::uint32_t chip;
  Clock now;
  // When this chip last touched a place: by its loads and stores, and by copies that a wait has
  // proved complete.
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
