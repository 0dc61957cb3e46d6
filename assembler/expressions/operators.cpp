#include "assembler/expressions/operators.hpp"

#include <bit>
#include <utility>

#include "assembler/expressions/expression.hpp"

namespace tandem::assembly {
namespace {

constexpr Code bad_relocation = Code::not_relocatable;
constexpr Code zero_division = Code::division_by_zero;
constexpr Code integer_operator = Code::integer_operator;

std::int64_t wrap(std::uint64_t bits) { return static_cast<std::int64_t>(bits); }
std::uint64_t bits_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }

// Multiplies a value that depends on symbols by 2^shift.
const Code* scale(Value& value, std::uint64_t shift) {
  if (value.half != Half::whole || value.log2_scale + shift > 31) return &bad_relocation;
  value.log2_scale = static_cast<std::uint8_t>(value.log2_scale + shift);
  value.integer = wrap(bits_of(value.integer) << shift);
  return nullptr;
}

const Code* scale_by_factor(Value& value, std::int64_t factor) {
  if (factor <= 0 || !std::has_single_bit(bits_of(factor))) return &bad_relocation;
  return scale(value, static_cast<std::uint64_t>(std::countr_zero(bits_of(factor))));
}

// Adds values of which at least one depends on symbols: at most one symbol may end up on each side.
const Code* add_symbolic(const SymbolTable& symbols, Value& left, const Value& right) {
  const bool whole = left.half == Half::whole && right.half == Half::whole;
  if (!whole || left.is_real || right.is_real) return &bad_relocation;
  if (left.symbol != no_symbol && right.symbol != no_symbol) return &bad_relocation;
  if (left.minus != no_symbol && right.minus != no_symbol) return &bad_relocation;
  const bool both = !left.is_constant() && !right.is_constant();
  if (both && left.log2_scale != right.log2_scale) return &bad_relocation;
  if (left.is_constant()) left.log2_scale = right.log2_scale;
  if (right.symbol != no_symbol) left.symbol = right.symbol;
  if (right.minus != no_symbol) left.minus = right.minus;
  left.integer = wrap(bits_of(left.integer) + bits_of(right.integer));
  simplify(symbols, left);
  return nullptr;
}

Value negated(Value value) {
  std::swap(value.symbol, value.minus);
  value.integer = wrap(0 - bits_of(value.integer));
  return value;
}

const Code* symbolic(const SymbolTable& symbols, TokenKind op, Value& left, const Value& right) {
  if (op == TokenKind::plus) return add_symbolic(symbols, left, right);
  if (op == TokenKind::minus) {
    if (right.is_real) return &bad_relocation;
    return add_symbolic(symbols, left, negated(right));
  }
  if (op == TokenKind::star && right.is_integer()) return scale_by_factor(left, right.integer);
  if (op == TokenKind::star && left.is_integer()) {
    const std::int64_t factor = left.integer;
    left = right;
    return scale_by_factor(left, factor);
  }
  if (op == TokenKind::shift_left && right.is_integer() && right.integer >= 0) {
    return scale(left, bits_of(right.integer));
  }
  return &bad_relocation;
}

const Code* real_arithmetic(TokenKind op, Value& left, const Value& right) {
  const double a = left.as_real();
  const double b = right.as_real();
  switch (op) {
    case TokenKind::plus: left = real_value(a + b); return nullptr;
    case TokenKind::minus: left = real_value(a - b); return nullptr;
    case TokenKind::star: left = real_value(a * b); return nullptr;
    case TokenKind::slash: left = real_value(a / b); return nullptr;
    case TokenKind::less: left = integer_value(a < b); return nullptr;
    case TokenKind::less_equal: left = integer_value(a <= b); return nullptr;
    case TokenKind::greater: left = integer_value(a > b); return nullptr;
    case TokenKind::greater_equal: left = integer_value(a >= b); return nullptr;
    case TokenKind::equal_equal: left = integer_value(a == b); return nullptr;
    case TokenKind::not_equal: left = integer_value(a != b); return nullptr;
    case TokenKind::and_and: left = integer_value(left.truth() && right.truth()); return nullptr;
    case TokenKind::or_or: left = integer_value(left.truth() || right.truth()); return nullptr;
    default: return &integer_operator;
  }
}

std::int64_t shift(TokenKind op, std::int64_t a, std::int64_t b) {
  const bool all_out = b < 0 || b > 63;
  if (op == TokenKind::shift_left) return all_out ? 0 : wrap(bits_of(a) << bits_of(b));
  return a >> (all_out ? 63 : b);
}

const Code* divide(TokenKind op, std::int64_t a, std::int64_t b, std::int64_t& result) {
  if (b == 0) return &zero_division;
  if (b == -1) {
    result = op == TokenKind::slash ? wrap(0 - bits_of(a)) : 0;
  } else {
    result = op == TokenKind::slash ? a / b : a % b;
  }
  return nullptr;
}

const Code* integer_arithmetic(TokenKind op, std::int64_t a, std::int64_t b, std::int64_t& out) {
  switch (op) {
    case TokenKind::plus: out = wrap(bits_of(a) + bits_of(b)); return nullptr;
    case TokenKind::minus: out = wrap(bits_of(a) - bits_of(b)); return nullptr;
    case TokenKind::star: out = wrap(bits_of(a) * bits_of(b)); return nullptr;
    case TokenKind::slash:
    case TokenKind::percent: return divide(op, a, b, out);
    case TokenKind::shift_left:
    case TokenKind::shift_right: out = shift(op, a, b); return nullptr;
    case TokenKind::less: out = a < b; return nullptr;
    case TokenKind::less_equal: out = a <= b; return nullptr;
    case TokenKind::greater: out = a > b; return nullptr;
    case TokenKind::greater_equal: out = a >= b; return nullptr;
    case TokenKind::equal_equal: out = a == b; return nullptr;
    case TokenKind::not_equal: out = a != b; return nullptr;
    case TokenKind::bit_and: out = a & b; return nullptr;
    case TokenKind::bit_or: out = a | b; return nullptr;
    case TokenKind::bit_xor: out = a ^ b; return nullptr;
    case TokenKind::and_and: out = (a != 0 && b != 0) ? 1 : 0; return nullptr;
    case TokenKind::or_or: out = (a != 0 || b != 0) ? 1 : 0; return nullptr;
    default: return &integer_operator;
  }
}

}  // namespace

int precedence_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::or_or: return 1;
    case TokenKind::and_and: return 2;
    case TokenKind::bit_or: return 3;
    case TokenKind::bit_xor: return 4;
    case TokenKind::bit_and: return 5;
    case TokenKind::equal_equal:
    case TokenKind::not_equal: return 6;
    case TokenKind::less:
    case TokenKind::less_equal:
    case TokenKind::greater:
    case TokenKind::greater_equal: return 7;
    case TokenKind::shift_left:
    case TokenKind::shift_right: return 8;
    case TokenKind::plus:
    case TokenKind::minus: return 9;
    case TokenKind::star:
    case TokenKind::slash:
    case TokenKind::percent: return 10;
    default: return 0;
  }
}

bool is_prefix(TokenKind kind) {
  return kind == TokenKind::minus || kind == TokenKind::plus || kind == TokenKind::tilde ||
         kind == TokenKind::exclamation;
}

const Code* apply_binary(const SymbolTable& symbols, TokenKind op, Value& left,
                         const Value& right) {
  if (!left.is_constant() || !right.is_constant()) return symbolic(symbols, op, left, right);
  if (left.is_real || right.is_real) return real_arithmetic(op, left, right);
  return integer_arithmetic(op, left.integer, right.integer, left.integer);
}

const Code* apply_prefix(TokenKind op, Value& value) {
  if (op == TokenKind::plus) return nullptr;
  if (!value.is_constant()) {
    if (op != TokenKind::minus || value.half != Half::whole) return &bad_relocation;
    value = negated(value);
  } else if (op == TokenKind::exclamation) {
    value = integer_value(value.truth() ? 0 : 1);
  } else if (value.is_real) {
    if (op == TokenKind::tilde) return &integer_operator;
    value.real = -value.real;
  } else {
    value.integer = op == TokenKind::minus ? wrap(0 - bits_of(value.integer)) : ~value.integer;
  }
  return nullptr;
}

}  // namespace tandem::assembly
