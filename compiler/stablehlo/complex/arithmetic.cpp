// Functions of complex numbers from functions of real ones.
//
// They avoid losses by intermediate cancellation and overflow: a logarithm near |z| = 1 is computed
// from |z|^2 - 1, with squares kept as two numbers (Dekker's product); quotients are Smith's;
// before squaring, numbers are divided by the larger part. Infinities and NaNs are those of XLA's
// CPU, which follows annex G of C99 in quotients but not in products.
#include "compiler/stablehlo/complex/parts.hpp"

#include <limits>
#include <numbers>

#include "llvm/ADT/StringMap.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Term absolute(const Term& x) { return apply("abs", x); }
Term exponential(const Term& x) { return apply("exponential", x); }
Term cosine(const Term& x) { return apply("cosine", x); }
Term sine(const Term& x) { return apply("sine", x); }
Term root(const Term& x) { return apply("sqrt", x); }
Term log_plus_one(const Term& x) { return apply("log_plus_one", x); }

struct Sides {
  Term large;
  Term small;
  Term ratio;  // 1 where they are equal, zeros and infinities too
};

Sides sides(const Parts& a) {
  const Term x = absolute(a.real);
  const Term y = absolute(a.imaginary);
  const Term large = apply("maximum", x, y);
  const Term small = apply("minimum", x, y);
  return {large, small, choose(large == small, 1, small / large)};
}

// A number as the sum of two.
struct Sum {
  Term high;
  Term low;
};

Sum square(const Term& x) {
  const Term scaled = x * 4097;
  const Term high = scaled - (scaled - x);
  const Term low = x - high;
  const Term product = x * x;
  return {product, ((high * high - product) + high * low * 2) + low * low};
}

Sum add(const Term& x, const Term& y) {
  const Term sum = x + y;
  const Term rest = sum - x;
  return {sum, (x - (sum - rest)) + (y - rest)};
}

// first + second + x^2 of numbers near 1, where most of it may cancel.
Term sum_with_square(const Sum& first, const Term& second, const Term& x) {
  const Sum squared = square(x);
  const Sum most = add(first.high, second);
  const Sum all = add(most.high, squared.high);
  return all.high + (((all.low + most.low) + squared.low) + first.low);
}

Term is_near_one(const Term& x) { return (x > 0.5) & (x < 2); }

// The logarithm of the absolute value, given its square minus 1 where that is near zero.
Term log_of(const Parts& a, const Sides& s, const Term& excess) {
  const Term far = apply("log", s.large) + log_plus_one(s.ratio * s.ratio) * 0.5;
  const Term near = log_plus_one(excess) * 0.5;
  const Term finite = choose(is_near_one(s.large), near, far);
  return choose(is_infinite(a.real) | is_infinite(a.imaginary), infinity, finite);
}

Term log_magnitude(const Parts& a) {
  const Sides s = sides(a);
  return log_of(a, s, sum_with_square(square(s.large), s.large.constant(-1), s.small));
}

Term angle(const Parts& a) { return apply("atan2", a.imaginary, a.real); }

Parts log(const Parts& a) { return {log_magnitude(a), angle(a)}; }

Parts log_plus_one(const Parts& a) {
  const Parts moved{a.real + 1, a.imaginary};
  const Term excess = sum_with_square(square(a.real), a.real * 2, a.imaginary);
  return {log_of(moved, sides(moved), excess), angle(moved)};
}

// e^x times a factor between -1 and 1; the product may be finite where e^x is not.
Term grown(const Term& x, const Term& factor) {
  const Term half = exponential(x * 0.5);
  return choose(x > 88, half * factor * half, exponential(x) * factor);
}

Parts exp(const Parts& a) {
  const Term vanishes = a.real == -infinity;
  const auto part = [&](const Term& factor) { return choose(vanishes, 0, grown(a.real, factor)); };
  const Term is_real = a.imaginary == 0;
  return {choose(is_real, exponential(a.real), part(cosine(a.imaginary))),
          choose(is_real, a.imaginary, part(sine(a.imaginary)))};
}

// e^x cos y - 1 = (e^x - 1) cos y - 2 sin^2 (y / 2).
Parts exp_minus_one(const Parts& a) {
  const Parts whole = exp(a);
  const Term less = apply("exponential_minus_one", a.real);
  const Term half = sine(a.imaginary * 0.5);
  const Term near = less * cosine(a.imaginary) - half * half * 2;
  const Term real = choose(apply("abs", a.real) > 44, whole.real - 1, near);
  return {choose(a.imaginary == 0, less, real), whole.imaginary};
}

Parts sqrt(const Parts& a) {
  const Term large = sides(a).large;
  const Term scale =
      choose(large > 0x1p125, 0x1p-4, choose(large < 0x1p-90, 0x1p30, large.constant(1)));
  const Term back =
      choose(large > 0x1p125, 0x1p2, choose(large < 0x1p-90, 0x1p-15, large.constant(1)));
  const Parts scaled{a.real * scale, a.imaginary * scale};
  const Term main = root((magnitude(scaled) + absolute(scaled.real)) * 0.5) * back;
  const Term y = absolute(a.imaginary);
  const Term other = choose(main == 0, 0, choose(is_infinite(main), 0, y / (main * 2)));
  const Term is_left = a.real < 0;
  const Term wide = is_infinite(a.imaginary);
  return {choose(wide, infinity, choose(is_left, other, main)),
          with_sign(choose(wide, infinity, choose(is_left, main, other)), a.imaginary)};
}

Parts reciprocal_sqrt(const Parts& a) {
  const Parts of = sqrt(a);
  const Term size = magnitude(of);
  const Term is_zero = size == 0;
  const Term is_large = is_infinite(size);
  const auto part = [&](const Term& x) {
    return choose(is_large, with_sign(x.constant(0), x), x / size / size);
  };
  return {choose(is_zero, infinity, part(of.real)), choose(is_zero, nan, part(-of.imaginary))};
}

Term hyperbolic_sine(const Term& x) {
  const Term less = apply("exponential_minus_one", absolute(x));
  const Term half = exponential(absolute(x) * 0.5);
  const Term near = (less + less / (less + 1)) * 0.5;
  return with_sign(choose(absolute(x) > 44, half * (half * 0.5), near), x);
}

Term hyperbolic_cosine(const Term& x) {
  const Term half = exponential(absolute(x) * 0.5);
  const Term small = exponential(-absolute(x)) * 0.5;
  return half * (half * 0.5) + small;
}

Parts sine(const Parts& a) {
  return {sine(a.real) * hyperbolic_cosine(a.imaginary),
          cosine(a.real) * hyperbolic_sine(a.imaginary)};
}

Parts cosine(const Parts& a) {
  return {cosine(a.real) * hyperbolic_cosine(a.imaginary),
          -(sine(a.real) * hyperbolic_sine(a.imaginary))};
}

// (sinh x cosh x + i sin y cos y) / (sinh^2 x + cos^2 y); for large x only sinh^2 x remains.
Parts tanh(const Parts& a) {
  const Term x = absolute(a.real);
  const Term is_far = x > 9;
  const Term near = choose(is_far, 9, x);
  const Term sinh = hyperbolic_sine(near);
  const Term cosh = root(sinh * sinh + 1);
  const Term sin = sine(a.imaginary);
  const Term cos = cosine(a.imaginary);
  const Term below = sinh * sinh + cos * cos;
  const Term tail = choose(x == infinity, 0, sin * cos * exponential(x * -2) * 4);
  return {with_sign(choose(is_far, 1, sinh * cosh / below), a.real),
          choose(a.imaginary == 0, a.imaginary, choose(is_far, tail, sin * cos / below))};
}

// -i tanh(i z).
Parts tan(const Parts& a) {
  const Parts turned = tanh({-a.imaginary, a.real});
  return {turned.imaginary, -turned.real};
}

Parts negate(const Parts& a) { return {-a.real, -a.imaginary}; }

Parts sign(const Parts& a) {
  const Term size = magnitude(a);
  const Term is_zero = size == 0;
  return {choose(is_zero, 0, a.real / size), choose(is_zero, 0, a.imaginary / size)};
}

Parts add(const Parts& a, const Parts& b) { return {a.real + b.real, a.imaginary + b.imaginary}; }

Parts subtract(const Parts& a, const Parts& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}

Parts multiply(const Parts& a, const Parts& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

// Smith's quotient, with the larger part of the divisor first.
Parts finite_quotient(const Parts& a, const Parts& b) {
  const Term turns = absolute(b.real) < absolute(b.imaginary);
  const Term large = choose(turns, b.imaginary, b.real);
  const Term small = choose(turns, b.real, b.imaginary);
  const Term ratio = small / large;
  const Term below = large + small * ratio;
  const Term first = choose(turns, a.imaginary, a.real);
  const Term second = choose(turns, a.real, a.imaginary);
  const Term imaginary = (second - first * ratio) / below;
  return {(first + second * ratio) / below, choose(turns, -imaginary, imaginary)};
}

Term unit_of_infinity(const Term& x) {
  return with_sign(choose(is_infinite(x), 1, x.constant(0)), x);
}

Parts divide(const Parts& a, const Parts& b) {
  const Parts plain = finite_quotient(a, b);
  const Term open = is_nan(plain.real) & is_nan(plain.imaginary);
  const auto infinite = [](const Parts& z) {
    return is_infinite(z.real) | is_infinite(z.imaginary);
  };
  const auto finite = [](const Parts& z) {
    return (absolute(z.real) < infinity) & (absolute(z.imaginary) < infinity);
  };
  const Term by_zero = (b.real == 0) & (b.imaginary == 0) & !(is_nan(a.real) & is_nan(a.imaginary));
  const Term endless = with_sign(b.real.constant(infinity), b.real);
  const auto combined = [](const Parts& x, const Parts& y) {
    return Parts{x.real * y.real + x.imaginary * y.imaginary,
                 x.imaginary * y.real - x.real * y.imaginary};
  };
  const Parts grown = combined({unit_of_infinity(a.real), unit_of_infinity(a.imaginary)}, b);
  const Parts shrunk = combined(a, {unit_of_infinity(b.real), unit_of_infinity(b.imaginary)});
  const Term grows = infinite(a) & finite(b);
  const Term shrinks = finite(a) & infinite(b);
  const auto part = [&](const Term& quotient, const Term& numerator, const Term& large,
                        const Term& small) {
    const Term other = choose(grows, large * infinity, choose(shrinks, small * 0, quotient));
    return choose(open, choose(by_zero, endless * numerator, other), quotient);
  };
  return {part(plain.real, a.real, grown.real, shrunk.real),
          part(plain.imaginary, a.imaginary, grown.imaginary, shrunk.imaginary)};
}

Parts logistic(const Parts& a) {
  const Term one = a.real.constant(1);
  const Parts grown = exp(negate(a));
  return divide({one, a.real.constant(0)}, {grown.real + one, grown.imaginary});
}

// |a|^c e^(-d t) at the angle d log |a| + c t, where b is c + d i and t the angle of a.
Parts power(const Parts& a, const Parts& b) {
  const Term turn = angle(a);
  const Term size = apply("power", magnitude(a), b.real) * exponential(-(b.imaginary * turn));
  const Term further = b.imaginary * log_magnitude(a);
  const Term along = choose(b.imaginary == 0, 0, further) + b.real * turn;
  const Term nothing = (a.real == 0) & (a.imaginary == 0);
  const Term nowhere = (b.real == 0) & (b.imaginary == 0);
  const Term gone = nothing & (b.real > 0);
  const Term is_real = (a.imaginary == 0) & (b.imaginary == 0) & !(a.real < 0);
  const Term sideways = choose(is_real, 0, size * sine(along));
  return {choose(nowhere, 1, choose(gone, 0, choose(is_real, size, size * cosine(along)))),
          choose(nowhere | gone, 0, sideways)};
}

}  // namespace

Term magnitude(const Parts& a) {
  const Sides s = sides(a);
  const Term finite = choose(s.large == s.small, s.large * std::numbers::sqrt2,
                             s.large * root(s.ratio * s.ratio + 1));
  return choose(is_infinite(a.real) | is_infinite(a.imaginary), infinity, finite);
}

bool is_complex(mlir::Type type) {
  const auto complex = mlir::dyn_cast<mlir::ComplexType>(mlir::getElementTypeOrSelf(type));
  return complex && complex.getElementType().isF32();
}

OnOne find_on_one(llvm::StringRef name) {
  static const llvm::StringMap<OnOne> table{
      {"negate", negate},     {"sign", sign},
      {"sqrt", sqrt},         {"rsqrt", reciprocal_sqrt},
      {"exponential", exp},   {"exponential_minus_one", exp_minus_one},
      {"log", log},           {"log_plus_one", log_plus_one},
      {"logistic", logistic}, {"sine", sine},
      {"cosine", cosine},     {"tan", tan},
      {"tanh", tanh},
  };
  return table.lookup(name);
}

OnTwo find_on_two(llvm::StringRef name) {
  static const llvm::StringMap<OnTwo> table{{"add", add},
                                            {"subtract", subtract},
                                            {"multiply", multiply},
                                            {"divide", divide},
                                            {"power", power}};
  return table.lookup(name);
}

}  // namespace tandem::compiler
