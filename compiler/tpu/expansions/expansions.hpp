// Functions that the machine has no instruction for, as sequences of instructions. Their maximum
// errors are listed in docs/compiler.md.
#pragma once

#include "compiler/tpu/select.hpp"

namespace tandem::compiler {

// What is known about a division: nothing; that the divisor is below 2^96 or infinite; or that it
// is below 2^96 and the dividend finite.
enum class Divisor : std::uint8_t { any, unscaled, tame };

// All on fp32.
mlir::Value expand_divide(Selector& s, mlir::Value x, mlir::Value y, Divisor known = Divisor::any);
// The same for a divisor shared by many dividends: more work on it alone, less for each dividend.
mlir::Value expand_divide_by_shared(Selector& s, mlir::Value x, mlir::Value y, Divisor known);
// `positive`: x is above zero, or NaN.
mlir::Value expand_sqrt(Selector& s, mlir::Value x, bool positive = false);
// `not_large`: x is at most 200, or NaN.
mlir::Value expand_exp(Selector& s, mlir::Value x, bool not_large = false);
mlir::Value expand_log(Selector& s, mlir::Value x);
mlir::Value expand_log1p(Selector& s, mlir::Value x);
mlir::Value expand_expm1(Selector& s, mlir::Value x);
mlir::Value expand_absolute(Selector& s, mlir::Value x);
mlir::Value expand_copysign(Selector& s, mlir::Value magnitude, mlir::Value sign);
mlir::Value expand_ceil(Selector& s, mlir::Value x);
mlir::Value expand_round(Selector& s, mlir::Value x);
// Rounded to bf16, still as fp32.
mlir::Value expand_bf16(Selector& s, mlir::Value x);
// Rounded to f16, still as fp32; the bits of such a number in the low half of a word; and back.
mlir::Value expand_half(Selector& s, mlir::Value x);
mlir::Value expand_half_bits(Selector& s, mlir::Value x);
mlir::Value expand_bits_half(Selector& s, mlir::Value bits);
mlir::Value expand_sine(Selector& s, mlir::Value x, bool cosine);
mlir::Value expand_tan(Selector& s, mlir::Value x);
mlir::Value expand_atan2(Selector& s, mlir::Value y, mlir::Value x);
mlir::Value expand_cbrt(Selector& s, mlir::Value x);
// x - y trunc(x / y); exact up to quotients of 2^66.
mlir::Value expand_remainder(Selector& s, mlir::Value x, mlir::Value y);
mlir::Value expand_power(Selector& s, mlir::Value x, mlir::Value y);

// On words.
mlir::Value expand_unsigned_to_real(Selector& s, mlir::Value x);
mlir::Value expand_real_to_unsigned(Selector& s, mlir::Value x);
// Quotient of unsigned words; the divisor is not zero.
mlir::Value expand_unsigned_quotient(Selector& s, mlir::Value x, mlir::Value y);
// Of a number below 2^22 by a constant.
mlir::Value expand_small_quotient(Selector& s, mlir::Value x, std::int64_t divisor);

}  // namespace tandem::compiler
