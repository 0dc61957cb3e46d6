// Formulas on tensors, element by element, written as formulas: `x * x + 1.0`.
#pragma once

#include "compiler/stablehlo/maker.hpp"

namespace tandem::compiler {

struct Term {
  Maker* maker;
  mlir::Value value;

  [[nodiscard]] mlir::Type element() const;
  [[nodiscard]] Term constant(double number) const;
};

// Arithmetic; for truth values `&`, `|` and `!`.
Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term operator*(const Term& a, const Term& b);
Term operator/(const Term& a, const Term& b);
Term operator&(const Term& a, const Term& b);
Term operator|(const Term& a, const Term& b);
Term operator+(const Term& a, double b);
Term operator-(const Term& a, double b);
Term operator*(const Term& a, double b);
Term operator-(const Term& a);
Term operator!(const Term& a);

Term operator<(const Term& a, const Term& b);
Term operator<(const Term& a, double b);
Term operator>(const Term& a, double b);
Term operator==(const Term& a, const Term& b);
Term operator==(const Term& a, double b);

// An operation of StableHLO on one operand, or two, of the result's type: "sine", "atan2".
Term apply(llvm::StringRef name, const Term& a);
Term apply(llvm::StringRef name, const Term& a, const Term& b);
Term choose(const Term& condition, const Term& a, const Term& b);
Term choose(const Term& condition, double a, const Term& b);
// The magnitude of one fp32 with the sign of another, whatever they are.
Term with_sign(const Term& magnitude, const Term& sign);
Term is_nan(const Term& a);
Term is_infinite(const Term& a);

}  // namespace tandem::compiler
