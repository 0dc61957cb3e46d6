#include "assembler/expressions/value.hpp"

#include <bit>
#include <cmath>

namespace tandem::assembly {

std::uint32_t fp32_bits(double value) {
  if (std::isnan(value)) return 0x7fc00000U;
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

std::uint16_t bf16_bits(double value) {
  if (std::isnan(value)) return 0x7fc0U;
  // Rounded once: a value that fp32 cannot hold is rounded to odd there, which never looks like a
  // tie.
  const auto nearest = static_cast<float>(value);
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  if (nearest != value) {
    if (std::abs(static_cast<double>(nearest)) > std::abs(value)) --bits;
    bits |= 1U;
  }
  return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U);
}

}  // namespace tandem::assembly
