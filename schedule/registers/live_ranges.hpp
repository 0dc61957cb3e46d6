// Where each virtual register of bundled code holds a value that is still needed.
//
// Gap g is the moment before bundle g reads and after the writes of bundle g - 1. A value written
// in bundle d and read last in bundle u is live in the gaps d + 1 .. u, so the register that bundle
// u reads for the last time may be written by bundle u itself. An unread value is live in one gap,
// since its write happens all the same.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program/bundled.hpp"

namespace tandem::schedule {

struct LiveSegment {
  VirtualId id = no_virtual;
  std::uint32_t first = 0;  // gaps, both included
  std::uint32_t last = 0;
  bool unread = false;  // one write, which nothing reads
};

// Ordered by virtual register, then by gap; those of one register do not overlap. A predicated
// write keeps the old value live. Where no write can have happened yet, nothing is live.
std::vector<LiveSegment> live_segments(const Bundled& code);

// The same, with unread values kept until they have arrived: an earlier write of the register would
// wait for them. Not needed for correctness.
std::vector<LiveSegment> held_segments(const Bundled& code, std::vector<LiveSegment> segments);

// The values still needed where control may arrive.
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
