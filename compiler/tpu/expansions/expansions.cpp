// Functions of fp32 as sequences of instructions.
//
// There is no fused multiply-add, but there is an instruction for the rounding error of a product,
// so a remainder like x - q y is exact.
#include "compiler/tpu/expansions/expansions.hpp"

#include <cmath>

#include "compiler/tpu/expansions/steps.hpp"

namespace tandem::compiler {
namespace {

using mlir::Value;

struct Halves {
  Value high;
  Value low;
};
Halves halves(Selector& s, Value x) {
  const Value high = bits_and(s, x, 0xfffff000);
  return {high, sub(s, x, high)};
}

Value is_finite(Selector& s, Value x) {
  return less(s, expand_absolute(s, x), s.real(std::numeric_limits<float>::infinity()));
}

// x 2^n for whole n from -252 to 254 and x near 1, rounded once.
Value scaled(Selector& s, Value x, Value n) {
  const Value whole = s.make("vcvt.s32.f32", n);
  const Value half = s.make("vsar", {whole, s.number(1)});
  const auto power = [&](Value exponent) {
    return s.make("vshl", {s.make("vadd.s32", {exponent, s.number(127)}), s.number(23)});
  };
  return mul(s, mul(s, x, power(half)), power(s.make("vsub.s32", {whole, half})));
}

constexpr float log2_e = 1.44269504F;
constexpr float ln_2 = 0.693147181F;

}  // namespace

Value expand_sqrt(Selector& s, Value x, bool positive) {
  const Value inverse = unit(s, "rsqrt", x);
  const Value root = mul(s, x, inverse);
  const Value rest = residual(s, x, root, root);
  const Value corrected = add(s, root, mul(s, rest, mul(s, inverse, s.real(0.5F))));
  const Value best = unless_nan(s, corrected, root);
  Value itself = equal(s, x, s.real(std::numeric_limits<float>::infinity()));
  if (positive) return s.choose(itself, x, best);
  itself = s.make("mor", {equal(s, x, s.real(0)), itself});
  return s.choose(itself, mul(s, x, s.real(1)), best);  // of a subnormal a zero
}

// 2^p for the product p of x and log2 e, times 2^c for the rounding error of p; c is so small that
// 1 + c ln 2 suffices. Beyond 200 nothing changes any more.
Value expand_exp(Selector& s, Value x, bool not_large) {
  constexpr float log2_e_rest = 1.92596299e-8F;
  const Value above = s.make("vmax.f32", {x, s.real(-200)});
  const Value inside = not_large ? above : s.make("vmin.f32", {above, s.real(200)});
  const Value product = mul(s, inside, s.real(log2_e));
  const Value lacks =
      add(s, product_error(s, inside, s.real(log2_e)), mul(s, inside, s.real(log2_e_rest)));
  const Value factor = add(s, mul(s, lacks, s.real(ln_2)), s.real(1));
  return mul(s, unit(s, "exp2", product), factor);
}

Value expand_log(Selector& s, Value x) { return mul(s, unit(s, "log2", x), s.real(ln_2)); }

// log(u) x / (u - 1) for u = 1 + x: this restores the part of x that rounding u lost.
Value expand_log1p(Selector& s, Value x) {
  const Value u = add(s, x, s.real(1));
  const Value logarithm = expand_log(s, u);
  const Value taken = sub(s, u, s.real(1));
  const Value result = mul(s, logarithm, mul(s, x, unit(s, "rcp", taken)));
  const Value finite = s.choose(is_finite(s, result), result, logarithm);
  // 1 + x rounds to x.
  const Value large = less(s, s.real(0x1p60F), x);
  return s.choose(equal(s, taken, s.real(0)), x, s.choose(large, logarithm, finite));
}

// Near zero 2 t / (1 - t) with t = tanh(x / 2).
Value expand_expm1(Selector& s, Value x) {
  const Value t = unit(s, "tanh", mul(s, x, s.real(0.5F)));
  const Value near = mul(s, add(s, t, t), unit(s, "rcp", sub(s, s.real(1), t)));
  const Value far = sub(s, expand_exp(s, x), s.real(1));
  return s.choose(less(s, expand_absolute(s, x), s.real(0.5F)), near, far);
}

Value expand_absolute(Selector& s, Value x) { return bits_and(s, x, 0x7fffffff); }

Value expand_copysign(Selector& s, Value magnitude, Value sign) {
  return s.make("vor", {expand_absolute(s, magnitude), bits_and(s, sign, 0x80000000)});
}

Value expand_ceil(Selector& s, Value x) {
  const auto negative = [&](Value v) { return s.make("vxor", {v, s.number(0x80000000)}); };
  return negative(s.make("vfloor.f32", negative(x)));
}

// Halves away from zero.
Value expand_round(Selector& s, Value x) {
  const Value magnitude = expand_absolute(s, x);
  const Value whole = s.make("vfloor.f32", magnitude);
  const Value below = less(s, sub(s, magnitude, whole), s.real(0.5F));
  // An infinity minus itself is NaN, which is never below a half.
  const Value up = s.choose(is_finite(s, magnitude), add(s, whole, s.real(1)), whole);
  return expand_copysign(s, s.choose(below, whole, up), x);
}

Value expand_bf16(Selector& s, Value x) {
  const Value packed = s.make("vpack.bf16", {x, x});
  return s.make("vmov", packed, text_attribute(s.builder, "y", "lo"));
}

namespace {

// |x|^y for finite numbers, |x| neither zero nor infinite: the logarithm as a whole number and a
// rest, so that the product with the whole number is exact.
Value positive_power(Selector& s, Value magnitude, Value y) {
  const Value high = s.make("vadd.s32", {magnitude, s.number(0x00400000)});
  const Value exponent = s.make("vsub.s32", {s.make("vshr", {high, s.number(23)}), s.number(127)});
  const Value mantissa = s.make("vsub.s32", {magnitude, s.make("vshl", {exponent, s.number(23)})});
  const Value whole = s.make("vcvt.f32.s32", exponent);
  const Value rest = unit(s, "log2", mantissa);
  const Halves parts = halves(s, y);
  const Value estimate = mul(s, y, add(s, whole, rest));
  const Value bounded =
      s.make("vmin.f32", {s.make("vmax.f32", {estimate, s.real(-200)}), s.real(200)});
  const Value n = s.make("vround.f32", bounded);
  Value fraction = sub(s, mul(s, parts.high, whole), n);
  fraction = add(s, fraction, mul(s, parts.low, whole));
  fraction = add(s, fraction, mul(s, y, rest));
  return scaled(s, unit(s, "exp2", fraction), n);
}

}  // namespace

Value expand_power(Selector& s, Value x, Value y) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Value magnitude = expand_absolute(s, x);
  // Beyond 10^9 every power is 0, 1 or infinite, and whole and even.
  const Value bounded = s.make("vmin.f32", {s.make("vmax.f32", {y, s.real(-1e9F)}), s.real(1e9F)});
  Value result = positive_power(s, magnitude, bounded);
  const Value falls = less(s, y, s.real(0));
  const Value of_zero = s.choose(falls, s.real(infinity), s.real(0));
  const Value of_infinity = s.choose(falls, s.real(0), s.real(infinity));
  result = s.choose(equal(s, magnitude, s.real(0)), of_zero, result);
  result = s.choose(equal(s, magnitude, s.real(infinity)), of_infinity, result);
  const Value is_whole = equal(s, s.make("vfloor.f32", bounded), bounded);
  const Value half = mul(s, bounded, s.real(0.5F));
  const Value is_odd =
      s.make("mand", {is_whole, s.not_mask(equal(s, s.make("vfloor.f32", half), half))});
  const Value signed_result = s.make("vor", {result, bits_and(s, x, 0x80000000)});
  result = s.choose(is_odd, signed_result, result);
  // A negative number to a power that is not whole is NaN.
  const Value impossible = s.make("mand", {less(s, x, s.real(0)), s.not_mask(is_whole)});
  const Value finite_base = less(s, magnitude, s.real(infinity));
  const Value nan = s.number(0x7fc00000);
  result = s.choose(s.make("mand", {impossible, finite_base}), nan, result);
  const Value unordered = s.make("mor", {s.make("vne.f32", {x, x}), s.make("vne.f32", {y, y})});
  result = s.choose(unordered, nan, result);
  const Value is_one = s.make("mor", {equal(s, y, s.real(0)), equal(s, x, s.real(1))});
  return s.choose(is_one, s.real(1), result);
}

}  // namespace tandem::compiler
