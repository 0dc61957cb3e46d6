// Sine and cosine of any argument.
//
// Angles are in quarters of a turn: y = |x| 2/pi. Only the position of y within four quarters
// matters, and of 2/pi the bits that affect it: 96 of them from a position given by the exponent of
// x (Payne and Hanek). Their product with the 24 bits of x gives the quadrant and 64 bits of the
// rest, enough for a rest close to zero.
#include <array>

#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/tpu/expansions/steps.hpp"

namespace tandem::compiler {
namespace {

using mlir::Value;

Value sum(Selector& s, Value a, Value b) { return s.make("vadd.s32", {a, b}); }
Value product(Selector& s, Value a, Value b) { return s.make("vmul.s32", {a, b}); }
Value both(Selector& s, Value a, Value b) { return s.make("vor", {a, b}); }
Value left(Selector& s, Value a, std::int64_t bits) { return op(s, "vshl", a, bits); }
Value right(Selector& s, Value a, std::int64_t bits) { return op(s, "vshr", a, bits); }

// 2/pi after the binary point, after a word of zeros.
constexpr std::array<std::int64_t, 8> two_over_pi{0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                                  0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
constexpr int window_words = 4;
constexpr int window_starts = 5;  // words that a window may begin with

// 96 bits of the table from bit `place` on, the highest word first.
std::array<Value, 3> window(Selector& s, Value place) {
  const Value word = right(s, place, 5);
  std::array<Value, window_words> words;
  for (int i = 0; i < window_words; ++i) words[i] = s.number(two_over_pi[i]);
  // One mask at a time: there are few of them.
  for (int start = 1; start < window_starts; ++start) {
    const Value begins = s.make("veq.s32", {word, s.number(start)});
    for (int i = 0; i < window_words; ++i) {
      words[i] = s.choose(begins, s.number(two_over_pi[start + i]), words[i]);
    }
  }
  const Value shift = bits_and(s, place, 31);
  const Value rest = s.make("vsub.s32", {s.number(31), shift});
  std::array<Value, 3> result;
  for (int i = 0; i < 3; ++i) {
    const Value high = s.make("vshl", {words[i], shift});
    result[i] = both(s, high, s.make("vshr", {right(s, words[i + 1], 1), rest}));
  }
  return result;
}

// The upper word of the product of 24 bits with 32.
Value upper_product(Selector& s, Value a, Value b) {
  const Value a_low = bits_and(s, a, 0xffff);
  const Value a_high = right(s, a, 16);
  const Value b_low = bits_and(s, b, 0xffff);
  const Value b_high = right(s, b, 16);
  const Value first = product(s, a_low, b_high);
  const Value second = product(s, a_high, b_low);
  const Value low = right(s, product(s, a_low, b_low), 16);
  const Value middle = sum(s, sum(s, low, bits_and(s, first, 0xffff)), bits_and(s, second, 0xffff));
  const Value high = sum(s, product(s, a_high, b_high), right(s, first, 16));
  return sum(s, sum(s, high, right(s, second, 16)), right(s, middle, 16));
}

struct Angle {
  Value quadrant;
  Value rest;  // -pi/4 .. pi/4
};

// From the 64 bits of an angle in quarters: two bits of quadrant, the rest as a signed fraction.
Angle angle_of(Selector& s, Value high, Value low) {
  const Value fraction = both(s, left(s, high, 2), right(s, low, 30));
  const Value below_it = left(s, low, 2);
  const Value upper_half = right(s, fraction, 31);
  const Value quadrant = sum(s, right(s, high, 30), upper_half);
  // Minus one's complement is close enough: the last of 64 bits.
  const Value flip = s.make("vsar", {fraction, s.number(31)});
  const Value whole = s.make("vcvt.f32.s32", s.make("vxor", {fraction, flip}));
  const Value part = s.make("vcvt.f32.s32", right(s, s.make("vxor", {below_it, flip}), 8));
  const Value magnitude = add(s, mul(s, whole, s.real(0x1p-32F)), mul(s, part, s.real(0x1p-56F)));
  const Value sign = bits_and(s, flip, 0x80000000);
  return {quadrant, both(s, mul(s, magnitude, s.real(1.57079633F)), sign)};
}

// For a magnitude; below 1/2 it is its own rest.
Angle reduced(Selector& s, Value magnitude) {
  constexpr std::int64_t first_exponent = 120;  // whose window begins with the table
  const Value exponent = right(s, magnitude, 23);
  const Value place =
      s.make("vmax.s32", {s.make("vsub.s32", {exponent, s.number(first_exponent)}), s.number(0)});
  const Value mantissa = both(s, bits_and(s, magnitude, 0x7fffff), s.number(0x800000));
  const auto [first, second, third] = window(s, place);
  const Value low_part = product(s, mantissa, second);
  const Value low = sum(s, low_part, upper_product(s, mantissa, third));
  const Value carry = s.choose(s.make("vlt.u32", {low, low_part}), s.number(1), s.number(0));
  const Value high =
      sum(s, sum(s, product(s, mantissa, first), upper_product(s, mantissa, second)), carry);
  const Angle angle = angle_of(s, high, low);
  const Value small = s.make("vlt.f32", {magnitude, s.real(0.5F)});
  return {s.choose(small, s.number(0), angle.quadrant), s.choose(small, magnitude, angle.rest)};
}

}  // namespace

Value expand_sine(Selector& s, Value x, bool cosine) {
  const Value magnitude = expand_absolute(s, x);
  const auto [quadrant, r] = reduced(s, magnitude);
  const Value z = mul(s, r, r);
  Value sine = add(s, mul(s, z, s.real(-1.9515295891e-4F)), s.real(8.3321608736e-3F));
  sine = add(s, mul(s, sine, z), s.real(-1.6666654611e-1F));
  sine = add(s, mul(s, mul(s, sine, z), r), r);
  Value cos = add(s, mul(s, z, s.real(2.443315711809948e-5F)), s.real(-1.388731625493765e-3F));
  cos = add(s, mul(s, cos, z), s.real(4.166664568298827e-2F));
  cos = mul(s, mul(s, cos, z), z);
  cos = add(s, sub(s, cos, mul(s, z, s.real(0.5F))), s.real(1));
  const Value turned = cosine ? sum(s, quadrant, s.number(1)) : quadrant;
  const Value swapped = s.as_mask(bits_and(s, turned, 1));
  Value sign = left(s, bits_and(s, turned, 2), 30);
  if (!cosine) sign = s.make("vxor", {sign, bits_and(s, x, 0x80000000)});
  const Value result = s.make("vxor", {s.choose(swapped, cos, sine), sign});
  const Value finite =
      s.make("vlt.f32", {magnitude, s.real(std::numeric_limits<float>::infinity())});
  return s.choose(finite, result, s.number(0x7fc00000));
}

Value expand_tan(Selector& s, Value x) {
  return expand_divide(s, expand_sine(s, x, false), expand_sine(s, x, true));
}

}  // namespace tandem::compiler
