// Division of fp32: from an estimate of the inverse, and exact remainders.
#include <bit>
#include <cmath>
#include <optional>

#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/tpu/expansions/steps.hpp"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

std::optional<float> constant_real(Value value) {
  llvm::APInt bits;
  if (!mlir::matchPattern(value, mlir::m_ConstantInt(&bits))) return std::nullopt;
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits.getZExtValue()));
}

// The inverse of a number that is a power of two and has one.
std::optional<float> exact_inverse(Value value) {
  const auto number = constant_real(value);
  int exponent = 0;
  if (!number || std::abs(std::frexp(*number, &exponent)) != 0.5F) return std::nullopt;
  if (exponent < -124 || exponent > 125) return std::nullopt;
  return 1 / *number;
}

// 1 / y, and the same for other powers of two that are at most one: the unit's own error is less
// than one unit in the last place, and where its result is flushed to zero, so is the quotient.
std::optional<Value> inverse_times(Selector& s, Value dividend, Value divisor) {
  const auto number = constant_real(dividend);
  int exponent = 0;
  if (!number || std::abs(std::frexp(*number, &exponent)) != 0.5F) return std::nullopt;
  if (exponent < -124 || exponent > 1) return std::nullopt;
  const Value inverse = unit(s, "rcp", divisor);
  return *number == 1 ? inverse : mul(s, inverse, s.real(*number));
}

// rcp is zero beyond 2^126, so large divisors are scaled together with the dividend.
std::pair<Value, Value> scaled(Selector& s, Value dividend, Value divisor, Divisor known) {
  if (known != Divisor::any) return {dividend, divisor};
  const Value large = less(s, s.real(0x1p96F), expand_absolute(s, divisor));
  const Value scale = s.choose(large, s.real(0x1p-32F), s.real(1));
  return {mul(s, dividend, scale), mul(s, divisor, scale)};
}

// The inverse of a number as the difference of two, good to 46 bits.
struct Inverse {
  Value high;
  Value minus_low;
};

// Of a number below 2^96, as the sum of two. The low part of 1 / 0 is zero.
std::pair<Value, Value> tame_inverse(Selector& s, Value divisor) {
  const Value high = unit(s, "rcp", divisor);
  const Value low = mul(s, residual(s, s.real(1), high, divisor), high);
  return {high, unless_nan(s, low, s.real(0))};
}

// High and low part have the sign of the divisor, so that their products with an infinity do not
// cancel: the estimate less one unit in the last place is nearer to zero than the inverse. Zero and
// infinity have no such neighbour.
Inverse inverse_of(Selector& s, Value divisor) {
  const Value estimate = unit(s, "rcp", divisor);
  const Value magnitude = expand_absolute(s, estimate);
  const Value lower = op(s, "vadd.s32", magnitude, 0xffffffff);
  const Value inside = op(s, "vlt.u32", lower, 0x7f7fffff);
  const Value high = s.choose(inside, op(s, "vadd.s32", estimate, 0xffffffff), estimate);
  const Value low = mul(s, residual(s, s.real(1), high, divisor), high);
  return {high, op(s, "vxor", s.choose(inside, low, estimate), sign_bit)};
}

// Of a constant, where both parts and the products with them are in range. A power of two has no
// low part.
std::optional<Inverse> known_inverse(Selector& s, Value divisor) {
  const auto number = constant_real(divisor);
  if (!number || !(std::abs(*number) >= 0x1p-96F) || !(std::abs(*number) <= 0x1p96F)) {
    return std::nullopt;
  }
  const double inverse = 1 / static_cast<double>(*number);
  auto high = static_cast<float>(inverse);
  if (std::abs(static_cast<double>(high)) > std::abs(inverse)) high = std::nextafter(high, 0.0F);
  return Inverse{s.real(high), s.real(static_cast<float>(static_cast<double>(high) - inverse))};
}

// The product's own rounding error is corrected together with the low part. That the correction is
// subtracted leaves a negative zero as it is.
Value quotient_of(Selector& s, Value dividend, const Inverse& inverse) {
  const Value quotient = mul(s, dividend, inverse.high);
  const Value excess =
      sub(s, mul(s, dividend, inverse.minus_low), product_error(s, dividend, inverse.high));
  return sub(s, quotient, excess);
}

// Where one of the two is a number in the program that makes the quotient simpler.
std::optional<Value> quotient_with_number(Selector& s, Value x, Value y) {
  if (const auto inverse = exact_inverse(y)) return mul(s, x, s.real(*inverse));
  if (const auto quotient = inverse_times(s, x, y)) return quotient;
  if (const auto inverse = known_inverse(s, y)) return quotient_of(s, x, *inverse);
  return std::nullopt;
}

}  // namespace

Value expand_divide(Selector& s, Value x, Value y, Divisor known) {
  if (const auto quotient = quotient_with_number(s, x, y)) return *quotient;
  const auto [dividend, divisor] = scaled(s, x, y, known);
  const Value inverse = unit(s, "rcp", divisor);
  const Value quotient = mul(s, dividend, inverse);
  const Value rest = residual(s, dividend, quotient, divisor);
  return corrected(s, quotient, mul(s, rest, inverse));
}

Value expand_divide_by_shared(Selector& s, Value x, Value y, Divisor known) {
  if (const auto quotient = quotient_with_number(s, x, y)) return *quotient;
  if (known == Divisor::tame) {
    // Two roundings, half a unit in the last place each.
    const auto [high, low] = tame_inverse(s, y);
    return add(s, mul(s, x, high), mul(s, x, low));
  }
  const auto [dividend, divisor] = scaled(s, x, y, known);
  return quotient_of(s, dividend, inverse_of(s, divisor));
}

}  // namespace tandem::compiler
