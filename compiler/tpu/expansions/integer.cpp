// Functions of words as sequences of instructions.
#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/tpu/expansions/steps.hpp"
#include "llvm/Support/MathExtras.h"

namespace tandem::compiler {

using mlir::Value;

// Both halves are exact, so the sum is rounded once.
Value expand_unsigned_to_real(Selector& s, Value x) {
  const Value high = s.make("vcvt.f32.s32", op(s, "vshr", x, 16));
  const Value low = s.make("vcvt.f32.s32", op(s, "vand", x, 0xffff));
  return s.make("vadd.f32", {s.make("vmul.f32", {high, s.real(65536)}), low});
}

Value expand_real_to_unsigned(Selector& s, Value x) {
  const Value large = s.make("vle.f32", {s.real(0x1p31F), x});
  const Value moved = s.choose(large, s.make("vsub.f32", {x, s.real(0x1p31F)}), x);
  const Value word = op(s, "vmax.s32", s.make("vtrunc.s32.f32", moved), 0);
  return s.choose(large, op(s, "vxor", word, sign_bit), word);
}

// Two estimates that are never too large, then two corrections by one.
Value expand_unsigned_quotient(Selector& s, Value x, Value y) {
  const Value inverse = s.make("rcp", as_vector(s, expand_unsigned_to_real(s, y)));
  const Value careful = s.make("vmul.f32", {inverse, s.real(1 - 0x1p-20F)});
  const auto estimate = [&](Value rest) {
    const Value real = s.make("vmul.f32", {expand_unsigned_to_real(s, rest), careful});
    return expand_real_to_unsigned(s, real);
  };
  const auto rest_of = [&](Value rest, Value quotient) {
    return s.make("vsub.s32", {rest, s.make("vmul.s32", {quotient, y})});
  };
  Value quotient = estimate(x);
  Value rest = rest_of(x, quotient);
  const Value more = estimate(rest);
  quotient = s.make("vadd.s32", {quotient, more});
  rest = rest_of(rest, more);
  for (int i = 0; i < 2; ++i) {
    const Value small = s.make("vlt.u32", {rest, y});
    quotient = s.choose(small, quotient, op(s, "vadd.s32", quotient, 1));
    rest = s.choose(small, rest, s.make("vsub.s32", {rest, y}));
  }
  return quotient;
}

// (x + 1/2) / divisor is at least 1 / (2 divisor) from a whole number, which is more than its
// error.
Value expand_small_quotient(Selector& s, Value x, std::int64_t divisor) {
  if (llvm::isPowerOf2_64(divisor)) return op(s, "vshr", x, llvm::Log2_64(divisor));
  const Value real = s.make("vadd.f32", {s.make("vcvt.f32.s32", x), s.real(0.5F)});
  const Value quotient = s.make("vmul.f32", {real, s.real(1.0F / static_cast<float>(divisor))});
  return s.make("vtrunc.s32.f32", quotient);
}

}  // namespace tandem::compiler
