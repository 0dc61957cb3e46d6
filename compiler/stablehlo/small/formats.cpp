#include "compiler/stablehlo/small/formats.hpp"

#include <cmath>
#include <limits>

#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {
namespace {

constexpr int single_mantissa = 23;
constexpr int single_bias = 127;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Kind = Format::Kind;

constexpr Format e4m3fn{"f8e4m3fn", Kind::no_infinity, 3, 7, 448};
constexpr Format e5m2{"f8e5m2", Kind::ieee, 2, 15, 57344};
constexpr Format e4m3b11fnuz{"f8e4m3b11fnuz", Kind::one_zero, 3, 11, 30};
constexpr Format e4m3fnuz{"f8e4m3fnuz", Kind::one_zero, 3, 8, 240};
constexpr Format e5m2fnuz{"f8e5m2fnuz", Kind::one_zero, 2, 16, 57344};
constexpr Format e4m3{"f8e4m3", Kind::ieee, 3, 7, 240};
constexpr Format e3m4{"f8e3m4", Kind::ieee, 4, 3, 15.5};
constexpr Format e8m0fnu{"f8e8m0fnu", Kind::scale, 0, 127, 0x1p127};
constexpr Format e2m1fn{"f4e2m1fn", Kind::finite, 1, 1, 6};

mlir::Type single(const Term& term) { return term.maker->builder().getF32Type(); }
mlir::Type word(const Term& term) {
  return mlir::IntegerType::get(term.maker->builder().getContext(), 32,
                                mlir::IntegerType::Unsigned);
}
mlir::Type byte(const Term& term) {
  return mlir::IntegerType::get(term.maker->builder().getContext(), 8, mlir::IntegerType::Unsigned);
}

Term as(const Term& term, mlir::Type element) {
  return {term.maker, term.maker->convert(term.value, element)};
}
Term bits_of(const Term& number) {
  return {number.maker, number.maker->bits(number.value, word(number))};
}
Term number_of(const Term& bits) {
  return {bits.maker, bits.maker->bits(bits.value, single(bits))};
}
Term left(const Term& bits, int distance) {
  return apply("shift_left", bits, bits.constant(distance));
}
Term right(const Term& bits, int distance) {
  return apply("shift_right_logical", bits, bits.constant(distance));
}
Term masked(const Term& bits, double mask) { return bits & bits.constant(mask); }

constexpr double no_sign = 0x7fffffff;

// The bits of a magnitude with this many bits left of the mantissa.
Term shortened(const Term& bits, int mantissa) {
  const int dropped = single_mantissa - mantissa;
  const Term odd = masked(right(bits, dropped), 1);
  const Term moved = bits + odd + std::ldexp(1.0, dropped - 1) - 1;
  return left(right(moved, dropped), dropped);
}

// The format's encoding of a NaN magnitude, or of one beyond the largest.
double beyond(const Format& format) {
  switch (format.kind) {
    case Kind::ieee: return infinity;
    case Kind::finite: return format.largest;
    case Kind::no_infinity:
    case Kind::one_zero:
    case Kind::scale: return nan;
  }
  return nan;
}

// All of its numbers are positive, and the smallest is below fp32's smallest normal one. Ties round
// to the larger number, as in ml_dtypes.
Term rounded_scale(const Term& number) {
  const Term bits = bits_of(number);
  const Term half = bits.constant(1 << (single_mantissa - 1));
  const Term whole = number_of(left(right(bits + half, single_mantissa), single_mantissa));
  const Term valid = (number > 0) & (number < std::ldexp(1.0, 127) * 1.5);
  return choose(valid, whole, number.constant(nan));
}

int code_offset(const Format& format) { return single_bias - format.bias; }

}  // namespace

const Format* find_format(mlir::Type element) {
  if (mlir::isa<mlir::Float8E4M3FNType>(element)) return &e4m3fn;
  if (mlir::isa<mlir::Float8E5M2Type>(element)) return &e5m2;
  if (mlir::isa<mlir::Float8E4M3B11FNUZType>(element)) return &e4m3b11fnuz;
  if (mlir::isa<mlir::Float8E4M3FNUZType>(element)) return &e4m3fnuz;
  if (mlir::isa<mlir::Float8E5M2FNUZType>(element)) return &e5m2fnuz;
  if (mlir::isa<mlir::Float8E4M3Type>(element)) return &e4m3;
  if (mlir::isa<mlir::Float8E3M4Type>(element)) return &e3m4;
  if (mlir::isa<mlir::Float8E8M0FNUType>(element)) return &e8m0fnu;
  if (mlir::isa<mlir::Float4E2M1FNType>(element)) return &e2m1fn;
  return nullptr;
}

// Below the least normal number the spacing is fixed: adding a number whose last bit has that value
// rounds to it.
Term rounded(const Term& number, const Format& format) {
  if (format.kind == Kind::scale) return rounded_scale(number);
  const double least = std::ldexp(1.0, format.least_exponent());
  const double anchor =
      std::ldexp(1.0, format.least_exponent() - format.mantissa + single_mantissa);
  const Term size = apply("abs", number);
  const Term normal = number_of(shortened(bits_of(size), format.mantissa));
  const Term small = (size + anchor) - anchor;
  const Term near = choose(size < least, small, normal);
  const Term far = choose(near > format.largest, beyond(format), near);
  const Term finite = with_sign(far, number);
  if (format.kind == Kind::finite)
    return choose(is_nan(number), with_sign(number.constant(0), -number), finite);
  return choose(is_nan(number), number, finite);
}

Term encoded(const Term& number, const Format& format) {
  const Term bits = bits_of(number);
  const Term size = masked(bits, no_sign);
  if (format.kind == Kind::scale) {
    return as(choose(is_nan(number), 255, right(size, single_mantissa)), byte(number));
  }
  const int top = format.bits() - 1;
  const Term sign = left(right(bits, 31), top);
  const Term normal = right(size, single_mantissa - format.mantissa) -
                      std::ldexp(code_offset(format), format.mantissa);
  const Term steps =
      apply("abs", number) * std::ldexp(1.0, format.mantissa - format.least_exponent());
  const Term is_small = apply("abs", number) < std::ldexp(1.0, format.least_exponent());
  Term code =
      choose(is_small, as(choose(is_small, steps, steps.constant(0)), word(number)), normal);
  const Term no_number = is_nan(number);
  switch (format.kind) {
    case Kind::ieee: {
      const double endless = std::ldexp(1.0, top) - std::ldexp(1.0, format.mantissa);
      const double quiet = endless + std::ldexp(1.0, format.mantissa - 1);
      code = choose(no_number, quiet, choose(is_infinite(number), endless, code)) | sign;
      break;
    }
    case Kind::no_infinity: code = choose(no_number, 0x7f, code) | sign; break;
    case Kind::one_zero:
      code = choose(code == 0, code, code | sign);
      code = choose(no_number, 0x80, code);
      break;
    case Kind::finite:
    case Kind::scale: code = code | sign; break;
  }
  return as(code, byte(number));
}

Term decoded(const Term& coded, const Format& format) {
  const Term bits = as(coded, word(coded));
  if (format.kind == Kind::scale) {
    const Term power = left(bits, single_mantissa);
    const Term least = bits.constant(1 << (single_mantissa - 1));
    return choose(bits == 255, nan, number_of(choose(bits == 0, least, power)));
  }
  const int top = format.bits() - 1;
  const Term code = masked(bits, std::ldexp(1.0, top) - 1);
  const Term normal = number_of(left(code, single_mantissa - format.mantissa) +
                                std::ldexp(code_offset(format), single_mantissa));
  const double step = std::ldexp(1.0, format.least_exponent() - format.mantissa);
  const Term small = as(code, single(coded)) * step;
  Term size = choose(code < std::ldexp(1.0, format.mantissa), small, normal);
  const double endless = std::ldexp(1.0, top) - std::ldexp(1.0, format.mantissa);
  switch (format.kind) {
    case Kind::ieee:
      size = choose(code == endless, infinity, choose(code > endless, nan, size));
      break;
    case Kind::no_infinity: size = choose(code == 0x7f, nan, size); break;
    case Kind::one_zero: size = choose(bits == 0x80, nan, size); break;
    case Kind::finite:
    case Kind::scale: break;
  }
  return with_sign(size, number_of(left(right(bits, top), 31)));
}

}  // namespace tandem::compiler
