// The links of a group of machines, of every model that knows time.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/link/link_ring.hpp"
#include "sim/memory/memory_timing.hpp"

namespace tandem {

// A beat as it is on the wires of the RTL: data and strobes, or a header in the low bits.
struct WireBeat {
  bool is_header = false;
  std::vector<std::uint32_t> words;
};

struct GroupLinks {
  GroupLinks(std::uint32_t chips, const MemoryTimingParameters& timing)
      : timed(chips, timing.link_latency, timing.link_rate),
        wires(chips, timing.link_latency, timing.link_rate) {}

  [[nodiscard]] bool quiet() const { return timed.quiet() && wires.quiet(); }

  LinkRing<LinkBeat> timed;  // of cycle-exact models
  LinkRing<WireBeat> wires;  // of Verilated ones
  bool over = false;         // all chips have ended, and nothing is in flight
};

}  // namespace tandem
