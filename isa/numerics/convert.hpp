// Conversions between fp32, s32, bf16 and s8 on bit patterns, rounding to whole numbers, and the
// MXU's bf16 product, integers only (docs/numerics.md). Subnormal inputs read as zero of their
// sign.
#pragma once

#include <cstdint>

#include "isa/numerics/float32.hpp"

namespace tandem::numerics {

inline constexpr uint16_t bf16_canonical_nan = 0x7fc0;

// The treatment of the dropped fraction in rounding to whole numbers.
enum class WholeRounding { floor, nearest_even, toward_zero };

// |a| as a whole number, for a normal a below 2^24 in magnitude.
constexpr uint32_t f32_whole_magnitude(uint32_t a, WholeRounding rounding) {
  const int exponent = f32_exponent(a);
  const int shift = exponent < 118 ? 32 : 150 - exponent;  // 118: below 2^-9, all bits are fraction
  const uint64_t significand = f32_significand(a);
  const auto whole = static_cast<uint32_t>(significand >> shift);
  const uint64_t rest = significand - (static_cast<uint64_t>(whole) << shift);
  const uint64_t half = (1ull << shift) >> 1;
  switch (rounding) {
    case WholeRounding::floor: return whole + (f32_sign(a) != 0 && rest != 0 ? 1 : 0);
    case WholeRounding::nearest_even:
      return whole + (rest > half || (rest == half && rest != 0 && (whole & 1) != 0) ? 1 : 0);
    case WholeRounding::toward_zero: return whole;
  }
  __builtin_unreachable();
}

// Rounds to a whole number that stays fp32; a zero result keeps the sign of the input.
constexpr uint32_t f32_round_whole(uint32_t a, WholeRounding rounding) {
  if (f32_is_nan(a)) return f32_canonical_nan;
  if (f32_reads_zero(a)) return f32_sign(a);
  if (f32_exponent(a) >= 150) return a;  // 2^23 and above: whole already, infinities too
  return f32_round_pack(f32_sign(a), 127 + 63, f32_whole_magnitude(a, rounding));
}

constexpr uint32_t f32_floor(uint32_t a) { return f32_round_whole(a, WholeRounding::floor); }
constexpr uint32_t f32_nearest(uint32_t a) {
  return f32_round_whole(a, WholeRounding::nearest_even);
}

constexpr uint32_t f32_from_s32(int32_t a) {
  const int64_t wide = a;
  const auto magnitude = static_cast<uint64_t>(wide < 0 ? -wide : wide);
  return f32_round_pack(a < 0 ? f32_sign_bit : 0, 127 + 63, magnitude);
}

// Saturating; NaN gives 0.
constexpr int32_t f32_to_s32(uint32_t a, WholeRounding rounding) {
  if (f32_is_nan(a) || f32_reads_zero(a)) return 0;
  const bool negative = f32_sign(a) != 0;
  const int exponent = f32_exponent(a);
  if (exponent >= 158) return negative ? INT32_MIN : INT32_MAX;
  const uint32_t magnitude =
      exponent >= 150 ? f32_significand(a) << (exponent - 150) : f32_whole_magnitude(a, rounding);
  return negative ? -static_cast<int32_t>(magnitude) : static_cast<int32_t>(magnitude);
}

constexpr int32_t f32_to_s32_nearest(uint32_t a) {
  return f32_to_s32(a, WholeRounding::nearest_even);
}
constexpr int32_t f32_to_s32_truncated(uint32_t a) {
  return f32_to_s32(a, WholeRounding::toward_zero);
}

// Subnormals flush before rounding; rounding up past the largest bf16 gives infinity.
constexpr uint16_t bf16_from_f32(uint32_t a) {
  if (f32_is_nan(a)) return bf16_canonical_nan;
  const uint32_t flushed = f32_flush_input(a);
  const uint32_t tie_to_even = flushed >> 16 & 1;
  return static_cast<uint16_t>((flushed + 0x7fff + tie_to_even) >> 16);
}

// Data movement: keeps every bit, NaN payloads and subnormals too.
constexpr uint32_t f32_from_bf16(uint16_t a) { return static_cast<uint32_t>(a) << 16; }

// The MXU's product: exact wherever it is normal, so the only rounding is the flush.
constexpr uint32_t bf16_product(uint16_t a, uint16_t b) {
  return f32_mul(f32_from_bf16(a), f32_from_bf16(b));
}

constexpr uint32_t bf16_pack_pair(uint32_t low, uint32_t high) {
  return bf16_from_f32(low) | static_cast<uint32_t>(bf16_from_f32(high)) << 16;
}

constexpr int8_t s8_saturate(int32_t a) {
  return static_cast<int8_t>(a < -128 ? -128 : a > 127 ? 127 : a);
}

// Byte `index` (0..3) of a word, sign extended.
constexpr int32_t s8_extract(uint32_t word, unsigned index) {
  return static_cast<int8_t>(static_cast<uint8_t>(word >> (8 * index)));
}

// `word` with byte `index` (0..3) replaced by the saturated value.
constexpr uint32_t s8_insert(uint32_t word, unsigned index, int32_t value) {
  const uint32_t byte = static_cast<uint8_t>(s8_saturate(value));
  return (word & ~(0xffu << (8 * index))) | byte << (8 * index);
}

constexpr uint32_t f32_from_s8(uint32_t word, unsigned index) {
  return f32_from_s32(s8_extract(word, index));
}

}  // namespace tandem::numerics
