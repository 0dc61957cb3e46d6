// The lanes of one row of a mask register.
#pragma once

#include <cstdint>
#include <cstring>

#include "isa/golden/marks/marks.hpp"

namespace tandem::golden {

inline RowMarks all_lanes(std::uint32_t lanes) {
  return lanes == 128 ? ~RowMarks{0} : (RowMarks{1} << lanes) - 1;
}

// Bits r * lanes .. of a mask; lanes is 8, 16, 64 or 128, so a row never straddles a 64-bit half.
inline RowMarks mask_row(const std::uint32_t* mask, std::uint32_t r, std::uint32_t lanes) {
  const std::uint32_t first = r * lanes;
  std::uint64_t low = 0;
  std::memcpy(&low, mask + first / 64 * 2, sizeof low);
  if (lanes < 64) return (low >> (first % 64)) & ((std::uint64_t{1} << lanes) - 1);
  if (lanes == 64) return low;
  std::uint64_t high = 0;
  std::memcpy(&high, mask + first / 64 * 2 + 2, sizeof high);
  return RowMarks{high} << 64U | low;
}

inline RowMarks mask_row(const std::uint32_t* mask, bool negate, std::uint32_t r,
                         std::uint32_t lanes) {
  const RowMarks row = mask_row(mask, r, lanes);
  return negate ? ~row & all_lanes(lanes) : row;
}

inline bool lane_set(RowMarks row, std::uint32_t lane) { return ((row >> lane) & 1U) != 0; }

}  // namespace tandem::golden
