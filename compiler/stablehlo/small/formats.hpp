// Floats of 8 and 4 bits. Within a program one is the bf16 of its value, which holds it exactly;
// the launch, and whoever asks for its bits, has a byte.
#pragma once

#include <cstdint>

#include "compiler/stablehlo/term.hpp"

namespace tandem::compiler {

struct Format {
  // What stands for what is no number and what is too large for one.
  enum class Kind : std::uint8_t {
    ieee,         // infinities; the largest exponent is theirs and NaN's
    no_infinity,  // all ones is NaN
    one_zero,     // the sign alone is NaN
    finite,       // neither: the largest number stands for what is beyond
    scale,        // a power of two without a sign; all ones is NaN
  };
  llvm::StringLiteral name;  // in isa/elements.def
  Kind kind;
  int mantissa;  // bits
  int bias;
  double largest;

  [[nodiscard]] int bits() const { return kind == Kind::finite ? 4 : 8; }
  [[nodiscard]] int least_exponent() const { return 1 - bias; }
};

// Null for other types.
const Format* find_format(mlir::Type element);

// An fp32 to the nearest number of the format, ties to even, as fp32.
Term rounded(const Term& number, const Format& format);
// The byte, as ui8, of an fp32 that is a number of the format; and the number of a byte.
Term encoded(const Term& number, const Format& format);
Term decoded(const Term& coded, const Format& format);

}  // namespace tandem::compiler
