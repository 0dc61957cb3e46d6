// Functions of fp32 that are built from other expansions.
#include <limits>

#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/tpu/expansions/steps.hpp"

namespace tandem::compiler {
namespace {

using mlir::Value;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float pi = 3.14159274F;

// atan of 0 .. 1: beyond tan(pi/8) rotated by pi/4, then a polynomial.
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

// The rest without the nearest multiple of y 2^k, in steps of at most 20 bits: about half of y 2^k
// at most, of either sign, so that it is finite and the subtractions are exact.
Value reduced(Selector& s, Value rest, Value y, float scale) {
  const Value divisor = mul(s, y, s.real(scale));
  const Value whole = s.make("vround.f32", mul(s, rest, unit(s, "rcp", divisor)));
  const Value fits = less(s, divisor, s.real(infinity));
  return s.choose(fits, residual(s, rest, whole, divisor), rest);
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
  // In the middle of the range errors of products are finite, and divisors have an inverse.
  const Value size = expand_absolute(s, y);
  const Value tiny = less(s, size, s.real(0x1p-40F));
  const Value huge = less(s, s.real(0x1p64F), size);
  const auto by = [&](float if_tiny, float if_huge, float otherwise) {
    return s.choose(tiny, s.real(if_tiny), s.choose(huge, s.real(if_huge), s.real(otherwise)));
  };
  // Halved, so that no product next to the largest number is an infinity.
  const Value scale = by(0x1p64F, 0x1p-64F, 0.5F);
  const Value magnitude = expand_absolute(s, x);
  const Value divisor = mul(s, size, scale);
  // Beyond the supported quotients, still a finite number.
  const Value most = s.make("vmin.f32", {mul(s, divisor, s.real(0x1p120F)), s.real(0x1p127F)});
  Value rest = s.make("vmin.f32", {mul(s, magnitude, scale), most});
  for (const float step : {0x1p60F, 0x1p40F, 0x1p20F, 1.0F}) {
    rest = reduced(s, rest, divisor, step);
  }
  rest = s.choose(less(s, rest, s.real(0)), add(s, rest, divisor), rest);
  const Value small = less(s, magnitude, size);
  const Value result = s.choose(small, magnitude, mul(s, rest, by(0x1p-64F, 0x1p64F, 2)));
  const Value possible =
      s.make("mand", {less(s, magnitude, s.real(infinity)), less(s, s.real(0), size)});
  return s.choose(possible, expand_copysign(s, result, x), s.number(0x7fc00000));
}

}  // namespace tandem::compiler
