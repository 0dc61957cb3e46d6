// Checks of the unit benches after their reset.
#pragma once

#include <catch2/catch.hpp>

#include <cstdint>

namespace tandem::bench {

// Ready, and no pending results (cycle() of the bench fails on an unexpected result), for any
// register contents before one edge of reset.
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
