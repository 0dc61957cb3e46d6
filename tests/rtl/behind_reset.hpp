// What the benches of units ask behind their reset.
#pragma once

#include <catch2/catch.hpp>

#include <cstdint>

namespace tandem::bench {

// Ready, and nothing to come (cycle() of the bench fails on a result that nobody waits for),
// whatever registers held before one edge of reset.
template <typename Unit>
void require_ready_behind_reset() {
  for (uint64_t seed = 1; seed <= 64; ++seed) {
    Unit unit(seed);
    for (int i = 0; i < 20; ++i) {
      REQUIRE(unit->ready_o == 1);
      unit.cycle();
    }
  }
}

}  // namespace tandem::bench
