// The common shape of all EUP coefficient tables, and the one datapath that evaluates them
// (docs/numerics.md, "The quadratic").
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tandem::numerics {

// Fixed-point formats, the same for every function. Coefficients count in units of 2^-28.
inline constexpr int eup_fraction_bits = 28;
inline constexpr int eup_dx_bits = 20;      // position inside a segment, unsigned, [0, 1)
inline constexpr int eup_square_bits = 16;  // dx^2, from the top 16 bits of dx

// Widths that every table keeps, two's complement except c0.
inline constexpr int eup_c0_bits = 30;  // unsigned
inline constexpr int eup_c1_bits = 24;
inline constexpr int eup_c2_bits = 17;

struct EupSegment {
  int32_t c0;
  int32_t c1;
  int32_t c2;
};

struct EupTable {
  std::string_view name;
  std::span<const EupSegment> segments;
};

// c0 + c1*dx + c2*dx^2 in units of 2^-28, rounded down; `dx` in units of 2^-20. At most 30 bits.
constexpr uint32_t eup_quadratic(const EupSegment& segment, uint32_t dx) {
  const uint32_t top = dx >> (eup_dx_bits - eup_square_bits);
  const auto square = static_cast<int64_t>(top * top >> eup_square_bits);
  const int64_t sum =
      (static_cast<int64_t>(segment.c0) << eup_dx_bits) +
      static_cast<int64_t>(segment.c1) * static_cast<int64_t>(dx) +
      (static_cast<int64_t>(segment.c2) * square << (eup_dx_bits - eup_square_bits));
  return static_cast<uint32_t>(sum >> eup_dx_bits);
}

}  // namespace tandem::numerics
