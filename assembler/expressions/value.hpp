// The value of an expression: a number, or a number that depends on the final addresses of symbols.
#pragma once

#include <cstdint>

namespace tandem::assembly {

using SymbolId = std::uint32_t;
inline constexpr SymbolId no_symbol = ~0U;

enum class Half : std::uint8_t { whole, lo, hi };

// integer + (symbol << log2_scale) - (minus << log2_scale), of which `half` takes 32 bits; or,
// with is_real, the number `real`.
struct Value {
  std::int64_t integer = 0;
  double real = 0;
  bool is_real = false;
  Half half = Half::whole;
  std::uint8_t log2_scale = 0;
  SymbolId symbol = no_symbol;
  SymbolId minus = no_symbol;

  [[nodiscard]] bool is_constant() const { return symbol == no_symbol && minus == no_symbol; }
  [[nodiscard]] bool is_integer() const { return !is_real && is_constant(); }
  [[nodiscard]] double as_real() const { return is_real ? real : static_cast<double>(integer); }
  [[nodiscard]] bool truth() const { return is_real ? real != 0 : integer != 0; }
};

inline Value integer_value(std::int64_t integer) {
  Value value;
  value.integer = integer;
  return value;
}

inline Value real_value(double real) {
  Value value;
  value.real = real;
  value.is_real = true;
  return value;
}

// fp32 of a number, rounded to nearest even; subnormal results stay as they are.
std::uint32_t fp32_bits(double value);
// bf16 of a number by way of fp32, to nearest even; NaN is 0x7fc0.
std::uint16_t bf16_bits(double value);

}  // namespace tandem::assembly
