#include "assembler/expressions/expression.hpp"

namespace tandem::assembly {
namespace {

constexpr unsigned max_chain = 1000;  // for constants defined by constants

std::int64_t scaled(std::int64_t value, unsigned shift) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << shift);
}

// Replaces value.symbol, which is a constant, by its value.
bool replace_symbol(Value& value, const Value& constant) {
  if (constant.is_real) {
    if (value.integer != 0 || value.log2_scale != 0 || value.half != Half::whole) return false;
    value = constant;
    return true;
  }
  if (constant.half != Half::whole || constant.log2_scale + value.log2_scale > 31) return false;
  if (constant.minus != no_symbol) return false;
  value.integer += scaled(constant.integer, value.log2_scale);
  value.symbol = constant.symbol;
  // `minus` shares the scale; a symbol of another scale cannot be subtracted.
  if (value.minus != no_symbol && constant.log2_scale != 0) return false;
  value.log2_scale = static_cast<std::uint8_t>(value.log2_scale + constant.log2_scale);
  return true;
}

bool replace_minus(Value& value, const Value& constant) {
  if (constant.is_real || constant.half != Half::whole || constant.log2_scale != 0) return false;
  if (constant.minus != no_symbol) return false;
  value.integer -= scaled(constant.integer, value.log2_scale);
  value.minus = constant.symbol;
  return true;
}

bool is_constant_symbol(const SymbolTable& symbols, SymbolId id) {
  return id != no_symbol && symbols[id].kind == SymbolKind::constant;
}

// A difference within one section does not depend on where the section is.
void cancel(const SymbolTable& symbols, Value& value) {
  if (value.symbol == no_symbol || value.minus == no_symbol) return;
  const SymbolEntry& plus = symbols[value.symbol];
  const SymbolEntry& minus = symbols[value.minus];
  const bool known = plus.kind == SymbolKind::label && minus.kind == SymbolKind::label;
  if (value.symbol != value.minus && (!known || plus.place != minus.place)) return;
  const auto distance = static_cast<std::int64_t>(plus.offset - minus.offset);
  value.integer += scaled(distance, value.log2_scale);
  value.symbol = value.minus = no_symbol;
  value.log2_scale = 0;
}

void take_half(Value& value) {
  if (value.half == Half::whole || !value.is_constant()) return;
  const auto bits = static_cast<std::uint64_t>(value.integer);
  value.integer =
      static_cast<std::int64_t>(value.half == Half::hi ? bits >> 32U : bits & 0xffffffffU);
  value.half = Half::whole;
}

}  // namespace

bool simplify(const SymbolTable& symbols, Value& value) {
  for (unsigned step = 0; is_constant_symbol(symbols, value.symbol); ++step) {
    const Value constant = symbols[value.symbol].value;
    if (step > max_chain || !replace_symbol(value, constant)) return false;
  }
  for (unsigned step = 0; is_constant_symbol(symbols, value.minus); ++step) {
    const Value constant = symbols[value.minus].value;
    if (step > max_chain || !replace_minus(value, constant)) return false;
  }
  cancel(symbols, value);
  take_half(value);
  return true;
}

}  // namespace tandem::assembly
