// Where each virtual register of bundled code holds a value that is still wanted.
//
// Gap g is the moment before bundle g reads and behind the writes of bundle g - 1. A value written
// in bundle d and read last in bundle u lives in the gaps d + 1 .. u, so the register that bundle u
// reads for the last time may be written by bundle u itself. A value that nobody reads lives in one
// gap, since its write happens all the same.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/bundled.hpp"

namespace tandem::schedule {

struct LiveSegment {
  VirtualId id = no_virtual;
  std::uint32_t first = 0;  // gaps, both included
  std::uint32_t last = 0;
  bool unread = false;  // one write, which nobody reads
};

// Ordered by virtual register, then by gap; those of one register do not overlap. A predicated
// write keeps what it may not replace. Where no write can have happened yet, nothing lives.
std::vector<LiveSegment> live_segments(const Bundled& code);

// The same with values that nobody reads kept until they have come: who writes the register before
// waits for them. Not needed for what the code does.
std::vector<LiveSegment> held_segments(const Bundled& code, std::vector<LiveSegment> segments);

// What is still wanted where control may arrive.
class LiveEntries {
 public:
  explicit LiveEntries(const Bundled& code);
  // Whether a value in the register may be read from here on; `bundle` begins a flow block.
  [[nodiscard]] bool wanted(VirtualId id, std::uint32_t bundle) const;

 private:
  std::vector<std::uint32_t> first_;              // bundle of each flow block
  std::vector<std::uint32_t> slot_;               // of a virtual register in the sets
  std::vector<std::vector<std::uint64_t>> live_;  // by block
};

}  // namespace tandem::schedule
