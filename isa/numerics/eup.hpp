// The five EUP functions on fp32 bit patterns, integers only (docs/numerics.md, "EUP"). At most
// 1 ulp off (tanh 2) wherever the rounded true result is normal, else a zero of the right sign or
// an infinity. Subnormal inputs read as zero of their sign; NaN gives 0x7fc00000.
#pragma once

#include <cstdint>

#include "isa/numerics/eup_tables.hpp"
#include "isa/numerics/float32.hpp"

namespace tandem::numerics {

// |a| in units of 2^-27, rounded down, for |a| < 256: exp2 and tanh index their tables with it.
constexpr uint64_t eup_fixed_point(uint32_t a) {
  const int shift = f32_exponent(a) - 123;
  const uint64_t significand = f32_significand(a);
  if (shift >= 0) return significand << shift;
  return -shift > 31 ? 0 : significand >> -shift;
}

constexpr uint32_t eup_exp2(uint32_t a) {
  if (f32_is_nan(a)) return f32_canonical_nan;
  const bool negative = f32_sign(a) != 0;
  if (f32_exponent(a) >= 135) return negative ? 0 : f32_infinity;  // |a| >= 256, or infinite
  const auto fixed = static_cast<int64_t>(eup_fixed_point(a));
  const int64_t x = negative ? -fixed : fixed;
  const auto whole = static_cast<int>(x >> 27);
  const auto index = static_cast<uint32_t>(x >> 20 & 0x7f);
  const auto dx = static_cast<uint32_t>(x & 0xf'ffff);
  return f32_round_pack(0, whole + 127 + 35, eup_quadratic(exp2_segments[index], dx));
}

constexpr uint32_t eup_log2(uint32_t a) {
  if (f32_is_nan(a)) return f32_canonical_nan;
  if (f32_reads_zero(a)) return f32_sign_bit | f32_infinity;
  if (f32_sign(a) != 0) return f32_canonical_nan;
  if (f32_is_infinite(a)) return f32_infinity;
  // a = 2^whole * (1 + x) with x in [-1/4, 1/2), in units of 2^-24.
  const bool upper = (a >> 22 & 1) != 0;
  const auto fraction = static_cast<int64_t>(f32_fraction(a));
  const int64_t x = upper ? fraction - 0x80'0000 : 2 * fraction;
  const int64_t whole = f32_exponent(a) - 127 + (upper ? 1 : 0);
  const auto position = static_cast<uint32_t>(x + 0x40'0000);
  const EupSegment& segment = log2_segments[position >> 17];
  const uint32_t dx = (position & 0x1'ffff) << 3;
  // log2(a) = whole + x * (log2(1 + x) / x), in units of 2^-52.
  const int64_t sum = (whole << 52) + x * static_cast<int64_t>(eup_quadratic(segment, dx));
  const uint64_t magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  return f32_round_pack(sum < 0 ? f32_sign_bit : 0, 127 + 11, magnitude);
}

constexpr uint32_t eup_rcp(uint32_t a) {
  if (f32_is_nan(a)) return f32_canonical_nan;
  if (f32_reads_zero(a)) return f32_sign(a) | f32_infinity;
  if (f32_is_infinite(a)) return f32_sign(a);
  const uint32_t index = f32_fraction(a) >> 16;
  const uint32_t dx = (a & 0xffff) << 4;
  return f32_round_pack(f32_sign(a), 253 - f32_exponent(a) + 35,
                        eup_quadratic(rcp_segments[index], dx));
}

constexpr uint32_t eup_rsqrt(uint32_t a) {
  if (f32_is_nan(a)) return f32_canonical_nan;
  if (f32_reads_zero(a)) return f32_sign(a) | f32_infinity;
  if (f32_sign(a) != 0) return f32_canonical_nan;
  if (f32_is_infinite(a)) return 0;
  // The biased exponent is odd when the true one is even.
  const uint32_t odd = f32_exponent(a) % 2 == 0 ? 1 : 0;
  const uint32_t index = odd << 7 | f32_fraction(a) >> 16;
  const uint32_t dx = (a & 0xffff) << 4;
  const int half = (f32_exponent(a) - 127 - static_cast<int>(odd)) / 2;  // exact
  return f32_round_pack(0, 126 - half + 35, eup_quadratic(rsqrt_segments[index], dx));
}

constexpr uint32_t eup_tanh(uint32_t a) {
  if (f32_is_nan(a)) return f32_canonical_nan;
  const uint32_t sign = f32_sign(a);
  const int exponent = f32_exponent(a);
  if (exponent >= 131) return sign | f32_one;  // |a| >= 16
  if (exponent >= 127) {                       // |a| >= 1
    const uint32_t index = static_cast<uint32_t>(exponent - 127) << 6 | f32_fraction(a) >> 17;
    const uint32_t dx = (a & 0x1'ffff) << 3;
    return f32_round_pack(sign, 127 + 35, eup_quadratic(tanh_far_segments[index], dx));
  }
  const auto x = static_cast<uint32_t>(eup_fixed_point(a));
  const uint64_t slope = eup_quadratic(tanh_near_segments[x >> 20], x & 0xf'ffff);
  return f32_round_pack(sign, exponent + 12, f32_significand(a) * slope);
}

}  // namespace tandem::numerics
