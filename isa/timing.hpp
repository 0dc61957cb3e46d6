// Latencies and unit widths that the RTL and the cycle-exact model share; emitted into the Verilog
// package as T_<NAME>. Cycles count from the issue cycle t of the producing bundle.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tandem {

struct TimingRow {
  std::string_view name;
  std::uint32_t cycles;
  std::string_view meaning;
};

inline constexpr std::array<TimingRow, 8> timing_table{{
    {"scalar", 1, "a scalar, predicate or SMEM result is usable by the bundle issuing at t + this"},
    {"valu", 2, "a vector ALU result is usable at t + this"},
    {"load", 2, "a load without bank conflicts is usable at t + this"},
    {"acc_read", 2, "an accumulator read is usable at t + this"},
    {"eup", 10, "an EUP result is usable at t + this"},
    {"xlu", 10, "an XLU result is usable at t + this"},
    {"row_unit", 8, "EUP and XLU accept the next operation at t + this"},
    {"push", 4, "the push port accepts the next push at t + this"},
}};

}  // namespace tandem
