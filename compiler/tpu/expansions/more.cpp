// Functions of fp32 that are built from other expansions.
#include <limits>

#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/tpu/expansions/steps.hpp"

namespace tandem::compiler {
namespace {

using mlir::Value;

Value high_half(Selector& s, Value x) { return bits_and(s, x, 0xfffff000); }

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float pi = 3.14159274F;

// atan of 0 .. 1: beyond tan(pi/8) turned by pi/4, then a polynomial.
Value small_arctangent(Selector& s, Value t) {
  const Value far = less(s, s.real(0.414213562F), t);
  const Value turned = expand_divide(s, sub(s, t, s.real(1)), add(s, t, s.real(1)));
  const Value x = s.choose(far, turned, t);
  const Value z = mul(s, x, x);
  Value sum = add(s, mul(s, z, s.real(8.05374449538e-2F)), s.real(-1.38776856032e-1F));
  sum = add(s, mul(s, sum, z), s.real(1.99777106478e-1F));
  sum = add(s, mul(s, sum, z), s.real(-3.33329491539e-1F));
  sum = add(s, mul(s, mul(s, sum, z), x), x);
  return s.choose(far, add(s, sum, s.real(pi / 4)), sum);
}

// |x| mod y in steps: each takes off a multiple of y 2^k of at most 22 bits.
Value reduced(Selector& s, Value rest, Value y, float scale) {
  const Value divisor = mul(s, y, s.real(scale));
  const Value estimate = mul(s, rest, unit(s, "rcp", divisor));
  // Never too large: the remainder stays positive.
  const Value whole = s.make("vfloor.f32", mul(s, estimate, s.real(1 - 0x1p-21F)));
  const Value divisor_high = high_half(s, divisor);
  const Value divisor_low = sub(s, divisor, divisor_high);
  const Value whole_high = high_half(s, whole);
  const Value whole_low = sub(s, whole, whole_high);
  Value next = sub(s, rest, mul(s, whole_high, divisor_high));
  next = sub(s, next, mul(s, whole_high, divisor_low));
  next = sub(s, next, mul(s, whole_low, divisor_high));
  next = sub(s, next, mul(s, whole_low, divisor_low));
  const Value fits = less(s, expand_absolute(s, divisor), s.real(infinity));
  return s.choose(fits, next, rest);
}

}  // namespace

Value expand_atan2(Selector& s, Value y, Value x) {
  const Value ax = expand_absolute(s, x);
  const Value ay = expand_absolute(s, y);
  const Value steep = less(s, ax, ay);
  const Value larger = s.make("vmax.f32", {ax, ay});
  const Value smaller = s.make("vmin.f32", {ax, ay});
  Value t = expand_divide(s, smaller, larger);
  t = s.choose(equal(s, larger, s.real(0)), s.real(0), t);
  // Two infinities are on the diagonal.
  t = s.choose(equal(s, smaller, s.real(infinity)), s.real(1), t);
  Value angle = small_arctangent(s, t);
  angle = s.choose(steep, sub(s, s.real(pi / 2), angle), angle);
  const Value left = s.make("vlt.s32", {x, s.number(0)});
  angle = s.choose(left, sub(s, s.real(pi), angle), angle);
  const Value unordered = s.make("mor", {s.make("vne.f32", {x, x}), s.make("vne.f32", {y, y})});
  return s.choose(unordered, s.number(0x7fc00000), expand_copysign(s, angle, y));
}

// 2^(log2(x) / 3), and one step of Newton's.
Value expand_cbrt(Selector& s, Value x) {
  const Value a = expand_absolute(s, x);
  const Value third = s.real(1.0F / 3);
  const Value root = unit(s, "exp2", mul(s, unit(s, "log2", a), third));
  const Value square = mul(s, root, root);
  const Value quotient = expand_divide(s, a, square);
  const Value better = sub(s, root, mul(s, sub(s, root, quotient), third));
  const Value itself =
      s.make("mor", {equal(s, a, s.real(0)), s.not_mask(less(s, a, s.real(infinity)))});
  return s.choose(itself, x, expand_copysign(s, better, x));
}

Value expand_remainder(Selector& s, Value x, Value y) {
  const Value divisor = expand_absolute(s, y);
  Value rest = expand_absolute(s, x);
  for (const float scale : {0x1p60F, 0x1p40F, 0x1p20F, 1.0F, 1.0F}) {
    rest = reduced(s, rest, divisor, scale);
  }
  rest = s.choose(less(s, rest, divisor), rest, sub(s, rest, divisor));
  const Value magnitude = expand_absolute(s, x);
  const Value small = less(s, magnitude, divisor);
  const Value result = s.choose(small, magnitude, rest);
  const Value possible =
      s.make("mand", {less(s, magnitude, s.real(infinity)), less(s, s.real(0), divisor)});
  return s.choose(possible, expand_copysign(s, result, x), s.number(0x7fc00000));
}

}  // namespace tandem::compiler
