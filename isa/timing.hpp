// Latencies and depths that the RTL and the cycle-exact model share; the rows are in timing.def.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tandem {

namespace timing {
#define TIMING(name, value, meaning) inline constexpr std::uint32_t name = (value);
#include "isa/timing.def"
#undef TIMING
}  // namespace timing

struct TimingRow {
  std::string_view name;
  std::uint32_t value;
  std::string_view meaning;
};

inline constexpr auto timing_table = std::to_array<TimingRow>({
#define TIMING(name, value, meaning) {#name, value, meaning},
#include "isa/timing.def"
#undef TIMING
});

}  // namespace tandem
