// Numbers of 16 bits as IEEE has them (f16). In registers they are the fp32 of their values.
#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/tpu/expansions/steps.hpp"

namespace tandem::compiler {
namespace {

using mlir::Value;

// The difference of the exponents' biases, where fp32 has its exponent.
constexpr std::int64_t bias = std::int64_t{127 - 15} << 23;
constexpr float smallest_normal = 0x1p-14F;
constexpr float beyond = 0x1p16F;

Value less(Selector& s, Value a, float b) { return s.make("vlt.f32", {a, s.real(b)}); }

}  // namespace

// The last 13 bits are dropped, half to even. Values below the normal numbers are counted in steps
// of 2^-24, as numbers near 1/2 are in fp32.
Value expand_half(Selector& s, Value x) {
  const Value magnitude = expand_absolute(s, x);
  const Value odd = op(s, "vand", op(s, "vshr", magnitude, 13), 1);
  const Value bias_to_even = op(s, "vadd.s32", odd, 0xfff);
  const Value normal = op(s, "vand", s.make("vadd.s32", {magnitude, bias_to_even}), 0xffffe000);
  const Value near_half = s.make("vadd.f32", {magnitude, s.real(0.5F)});
  const Value small = s.make("vsub.f32", {near_half, s.real(0.5F)});
  const Value rounded = s.choose(less(s, magnitude, smallest_normal), small, normal);
  const Value limited = s.choose(less(s, rounded, beyond), rounded, s.number(0x7f800000));
  const Value is_number = s.make("veq.f32", {x, x});
  return s.choose(is_number, expand_copysign(s, limited, x), x);
}

Value expand_half_bits(Selector& s, Value x) {
  const Value magnitude = expand_absolute(s, x);
  const Value normal = op(s, "vshr", op(s, "vsub.s32", magnitude, bias), 13);
  const Value small = s.make("vtrunc.s32.f32", s.make("vmul.f32", {magnitude, s.real(0x1p24F)}));
  Value bits = s.choose(less(s, magnitude, smallest_normal), small, normal);
  bits = s.choose(less(s, magnitude, beyond), bits, s.number(0x7c00));
  bits = s.choose(s.make("veq.f32", {x, x}), bits, s.number(0x7e00));
  return s.make("vor", {bits, op(s, "vand", op(s, "vshr", x, 16), 0x8000)});
}

Value expand_bits_half(Selector& s, Value bits) {
  const Value rest = op(s, "vand", bits, 0x7fff);
  const Value moved = op(s, "vshl", rest, 13);
  const Value normal = op(s, "vadd.s32", moved, bias);
  const Value special = op(s, "vadd.s32", moved, 2 * bias);
  const Value small = s.make("vmul.f32", {s.make("vcvt.f32.s32", rest), s.real(0x1p-24F)});
  Value result = s.choose(s.make("vlt.s32", {rest, s.number(0x7c00)}), normal, special);
  result = s.choose(s.make("vlt.s32", {rest, s.number(0x400)}), small, result);
  return s.make("vor", {result, op(s, "vand", op(s, "vshl", bits, 16), sign_bit)});
}

}  // namespace tandem::compiler
