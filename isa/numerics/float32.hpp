// fp32 add, subtract and multiply on bit patterns, integers only: the definition of the machine's
// arithmetic (docs/numerics.md). Round to nearest even; subnormal inputs read as zero of their
// sign, results subnormal after rounding become zero of their sign, every NaN is 0x7fc00000.
#pragma once

#include <bit>
#include <cstdint>

namespace tandem::numerics {

inline constexpr uint32_t f32_canonical_nan = 0x7fc0'0000;
inline constexpr uint32_t f32_infinity = 0x7f80'0000;
inline constexpr uint32_t f32_one = 0x3f80'0000;
inline constexpr uint32_t f32_sign_bit = 0x8000'0000;

constexpr uint32_t f32_sign(uint32_t a) { return a & f32_sign_bit; }
constexpr uint32_t f32_magnitude(uint32_t a) { return a & ~f32_sign_bit; }
constexpr int f32_exponent(uint32_t a) { return static_cast<int>(a >> 23 & 0xff); }
constexpr uint32_t f32_fraction(uint32_t a) { return a & 0x7f'ffff; }

constexpr bool f32_is_nan(uint32_t a) { return f32_magnitude(a) > f32_infinity; }
constexpr bool f32_is_infinite(uint32_t a) { return f32_magnitude(a) == f32_infinity; }
// Zero or subnormal: both read as zero.
constexpr bool f32_reads_zero(uint32_t a) { return f32_exponent(a) == 0; }

// 24 bits with the hidden one; 0 for everything that reads as zero.
constexpr uint32_t f32_significand(uint32_t a) {
  return f32_reads_zero(a) ? 0 : f32_fraction(a) | 0x80'0000;
}

constexpr uint32_t f32_flush_input(uint32_t a) { return f32_reads_zero(a) ? f32_sign(a) : a; }

constexpr uint32_t f32_canonical(uint32_t a) { return f32_is_nan(a) ? f32_canonical_nan : a; }

// The only rounding in the machine. The value is magnitude * 2^(exponent - 127 - 63): `exponent` is
// the biased exponent that a leading one in bit 63 has. A magnitude of 0 gives zero of that sign.
constexpr uint32_t f32_round_pack(uint32_t sign, int exponent, uint64_t magnitude) {
  if (magnitude == 0) return sign;
  const int leading_zeros = std::countl_zero(magnitude);
  const uint64_t normal = magnitude << leading_zeros;
  const auto kept = static_cast<uint32_t>(normal >> 40);
  const uint64_t rest = normal & 0xff'ffff'ffff;
  constexpr uint64_t half = 1ull << 39;
  const bool round_up = rest > half || (rest == half && (kept & 1) != 0);
  const uint32_t rounded = kept + (round_up ? 1 : 0);
  const bool carry = rounded >> 24 != 0;  // then rounded is 2^24 and its fraction is zero
  const int biased = exponent - leading_zeros + (carry ? 1 : 0);
  if (biased <= 0) return sign;
  if (biased >= 255) return sign | f32_infinity;
  return sign | static_cast<uint32_t>(biased) << 23 | (rounded & 0x7f'ffff);
}

// |a| >= |b|, both finite. Bits of b that fall off the end need no sticky bit: they fall only when
// the exponents differ by more than 38, and then b is too small to move the rounding of a.
constexpr uint32_t f32_add_ordered(uint32_t a, uint32_t b) {
  constexpr int guard = 38;  // leading one of a at bit 61, so a carry still fits
  const int distance = f32_exponent(a) - f32_exponent(b);
  const uint64_t large = static_cast<uint64_t>(f32_significand(a)) << guard;
  const uint64_t whole = static_cast<uint64_t>(f32_significand(b)) << guard;
  const uint64_t small = whole >> (distance > 62 ? 62 : distance);
  const bool subtract = f32_sign(a) != f32_sign(b);
  const uint64_t sum = subtract ? large - small : large + small;
  // An exact zero is +0 unless both operands were negative.
  const uint32_t sign = sum == 0 && subtract ? 0 : f32_sign(a);
  return f32_round_pack(sign, f32_exponent(a) + 2, sum);
}

constexpr uint32_t f32_add(uint32_t a, uint32_t b) {
  if (f32_is_nan(a) || f32_is_nan(b)) return f32_canonical_nan;
  if (f32_is_infinite(a)) {
    return f32_is_infinite(b) && a != b ? f32_canonical_nan : a;
  }
  if (f32_is_infinite(b)) return b;
  return f32_magnitude(a) >= f32_magnitude(b) ? f32_add_ordered(a, b) : f32_add_ordered(b, a);
}

constexpr uint32_t f32_sub(uint32_t a, uint32_t b) { return f32_add(a, b ^ f32_sign_bit); }

constexpr uint32_t f32_mul(uint32_t a, uint32_t b) {
  const uint32_t sign = f32_sign(a ^ b);
  if (f32_is_nan(a) || f32_is_nan(b)) return f32_canonical_nan;
  if (f32_is_infinite(a) || f32_is_infinite(b)) {
    return f32_reads_zero(a) || f32_reads_zero(b) ? f32_canonical_nan : sign | f32_infinity;
  }
  const uint64_t product = static_cast<uint64_t>(f32_significand(a)) * f32_significand(b);
  // Leading one at bit 46 has exponent ea + eb - 127.
  return f32_round_pack(sign, f32_exponent(a) + f32_exponent(b) - 127 + 17, product);
}

// a * b - f32_mul(a, b), exact but for the flush: at most half a unit in the last place of the
// product, so 24 bits hold it. +0 where the product is infinite.
constexpr uint32_t f32_mul_error(uint32_t a, uint32_t b) {
  const uint32_t rounded = f32_mul(a, b);
  if (f32_is_nan(rounded)) return f32_canonical_nan;
  if (f32_is_infinite(rounded)) return 0;
  const uint64_t product = static_cast<uint64_t>(f32_significand(a)) * f32_significand(b);
  // The unit of `product` is 2^(ea + eb - 300), that of a significand 2^(exponent - 150).
  const int exponents = f32_exponent(a) + f32_exponent(b);
  const uint64_t kept = f32_reads_zero(rounded) ? 0
                                                : static_cast<uint64_t>(f32_significand(rounded))
                                                      << (f32_exponent(rounded) - exponents + 150);
  if (product == kept) return 0;
  const uint32_t sign = f32_sign(a ^ b) ^ (kept > product ? f32_sign_bit : 0);
  const uint64_t difference = kept > product ? kept - product : product - kept;
  return f32_round_pack(sign, exponents - 300 + 127 + 63, difference);
}

}  // namespace tandem::numerics
