#include "compiler/stablehlo/term.hpp"

#include <limits>

#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {

mlir::Type Term::element() const { return mlir::getElementTypeOrSelf(value.getType()); }
Term Term::constant(double number) const { return {maker, maker->all(value.getType(), number)}; }

Term apply(llvm::StringRef name, const Term& a) { return {a.maker, a.maker->on(name, a.value)}; }
Term apply(llvm::StringRef name, const Term& a, const Term& b) {
  return {a.maker, a.maker->on(name, {a.value, b.value})};
}

Term operator+(const Term& a, const Term& b) { return apply("add", a, b); }
Term operator-(const Term& a, const Term& b) { return apply("subtract", a, b); }
Term operator*(const Term& a, const Term& b) { return apply("multiply", a, b); }
Term operator/(const Term& a, const Term& b) { return apply("divide", a, b); }
Term operator&(const Term& a, const Term& b) { return apply("and", a, b); }
Term operator|(const Term& a, const Term& b) { return apply("or", a, b); }
Term operator+(const Term& a, double b) { return a + a.constant(b); }
Term operator-(const Term& a, double b) { return a - a.constant(b); }
Term operator*(const Term& a, double b) { return a * a.constant(b); }
Term operator-(const Term& a) { return apply("negate", a); }
Term operator!(const Term& a) { return apply("not", a); }

Term operator<(const Term& a, const Term& b) {
  return {a.maker, a.maker->compare("LT", a.value, b.value)};
}
Term operator<(const Term& a, double b) { return a < a.constant(b); }
Term operator>(const Term& a, double b) { return a.constant(b) < a; }
Term operator==(const Term& a, const Term& b) {
  return {a.maker, a.maker->compare("EQ", a.value, b.value)};
}
Term operator==(const Term& a, double b) { return a == a.constant(b); }

Term choose(const Term& condition, const Term& a, const Term& b) {
  return {a.maker, a.maker->choose(condition.value, a.value, b.value)};
}
Term choose(const Term& condition, double a, const Term& b) {
  return choose(condition, b.constant(a), b);
}

Term with_sign(const Term& magnitude, const Term& sign) {
  const mlir::Type word = magnitude.maker->builder().getI32Type();
  const auto bits = [&](const Term& x) { return Term{x.maker, x.maker->bits(x.value, word)}; };
  const Term size = bits(magnitude) & bits(magnitude).constant(0x7fffffff);
  const Term top = bits(sign) & size.constant(-0x80000000L);
  return {magnitude.maker, magnitude.maker->bits((size | top).value, magnitude.element())};
}

Term is_nan(const Term& a) { return {a.maker, a.maker->compare("NE", a.value, a.value)}; }
Term is_infinite(const Term& a) {
  return apply("abs", a) == std::numeric_limits<double>::infinity();
}

}  // namespace tandem::compiler
