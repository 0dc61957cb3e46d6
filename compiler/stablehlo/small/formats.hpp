// Floats of 8 and 4 bits. Within a program such a float is the bf16 of its value, which holds it
// exactly; the launch, and operations on its bits, have a byte.
#pragma once

#include <cstdint>

#include "compiler/stablehlo/term.hpp"

namespace tandem::compiler {

struct Format {
  // The encodings of NaN and overflow.
  enum class Kind : std::uint8_t {
    ieee,         // infinities; the largest exponent is theirs and NaN's
    no_infinity,  // all ones is NaN
    one_zero,     // the sign alone is NaN
    finite,       // neither: overflow gives the largest number
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

// Rounds an fp32 to the nearest number of the format, ties to even, as fp32.
Term rounded(const Term& number, const Format& format);
// The byte, as ui8, of an fp32 that is a number of the format; and the inverse.
Term encoded(const Term& number, const Format& format);
Term decoded(const Term& coded, const Format& format);

}  // namespace tandem::compiler
