#include "cli/debug/language/evaluate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug {
namespace {

Number whole(std::int64_t value) { return {false, false, value, 0}; }
Number real(double value) { return {true, false, 0, value}; }
Number truth(bool value) { return whole(value ? 1 : 0); }

std::uint64_t bits(const Number& number) { return static_cast<std::uint64_t>(number.whole); }

void want_whole(const Number& a, const Number& b, const char* what) {
  if (a.real || b.real) throw UserError{fmt::format(message::wants_integers, what)};
}

// A register of 32 bits equals both the signed and the unsigned number with its bits.
bool equal(const Number& a, const Number& b) {
  if (a.real || b.real) return a.as_real() == b.as_real();
  if (a.whole == b.whole) return true;
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  const auto is_unsigned_word = [](const Number& n) { return n.whole > 0 && n.whole <= most; };
  const bool may_wrap = (a.word && is_unsigned_word(b)) || (b.word && is_unsigned_word(a));
  return may_wrap && static_cast<std::uint32_t>(a.whole) == static_cast<std::uint32_t>(b.whole);
}

bool less(const Number& a, const Number& b) {
  return a.real || b.real ? a.as_real() < b.as_real() : a.whole < b.whole;
}
bool less_equal(const Number& a, const Number& b) {
  return a.real || b.real ? a.as_real() <= b.as_real() : a.whole <= b.whole;
}

Number divide(const Number& a, const Number& b, bool remainder) {
  if (!remainder && (a.real || b.real)) return real(a.as_real() / b.as_real());
  want_whole(a, b, "a remainder");
  if (b.whole == 0) throw UserError{message::division_by_zero};
  if (b.whole == -1) return whole(remainder ? 0 : static_cast<std::int64_t>(0 - bits(a)));
  return whole(remainder ? a.whole % b.whole : a.whole / b.whole);
}

Number shift(const Number& a, const Number& b, bool left) {
  want_whole(a, b, "a shift");
  if (b.whole < 0 || b.whole > 63) throw UserError{message::shift_range};
  if (left) return whole(static_cast<std::int64_t>(bits(a) << bits(b)));
  return whole(a.whole >> b.whole);
}

// Wraps around at 64 bits.
Number arithmetic(Operator operation, const Number& a, const Number& b) {
  const bool is_real = a.real || b.real;
  const double x = a.as_real();
  const double y = b.as_real();
  if (operation == Operator::add) {
    return is_real ? real(x + y) : whole(static_cast<std::int64_t>(bits(a) + bits(b)));
  }
  if (operation == Operator::subtract) {
    return is_real ? real(x - y) : whole(static_cast<std::int64_t>(bits(a) - bits(b)));
  }
  return is_real ? real(x * y) : whole(static_cast<std::int64_t>(bits(a) * bits(b)));
}

Number bitwise(Operator operation, const Number& a, const Number& b) {
  want_whole(a, b, "a bit operation");
  if (operation == Operator::bit_or) return whole(a.whole | b.whole);
  if (operation == Operator::bit_xor) return whole(a.whole ^ b.whole);
  return whole(a.whole & b.whole);
}

Number apply(Operator operation, const Number& a, const Number& b) {
  switch (operation) {
    case Operator::logical_or: return truth(a.is_true() || b.is_true());
    case Operator::logical_and: return truth(a.is_true() && b.is_true());
    case Operator::bit_or:
    case Operator::bit_xor:
    case Operator::bit_and: return bitwise(operation, a, b);
    case Operator::equal: return truth(equal(a, b));
    case Operator::not_equal: return truth(!equal(a, b));
    case Operator::less: return truth(less(a, b));
    case Operator::less_equal: return truth(less_equal(a, b));
    case Operator::greater: return truth(less(b, a));
    case Operator::greater_equal: return truth(less_equal(b, a));
    case Operator::shift_left: return shift(a, b, true);
    case Operator::shift_right: return shift(a, b, false);
    case Operator::add:
    case Operator::subtract:
    case Operator::multiply: return arithmetic(operation, a, b);
    case Operator::divide: return divide(a, b, false);
    case Operator::remainder: return divide(a, b, true);
    case Operator::negate:
      return a.real ? real(-a.fraction) : whole(static_cast<std::int64_t>(0 - bits(a)));
    case Operator::logical_not: return truth(!a.is_true());
    case Operator::bit_not: want_whole(a, a, "~"); return whole(~a.whole);
  }
  __builtin_unreachable();
}

Number variable(Variable which, const Moments& now) {
  switch (which) {
    case Variable::pc: return whole(now.target.golden().pc());
    case Variable::bundle: return whole(static_cast<std::int64_t>(now.bundle));
    case Variable::cycle: break;
  }
  const auto cycle = now.target.cycle();
  if (!cycle) throw UserError{message::golden_has_no_cycles};
  return whole(static_cast<std::int64_t>(*cycle));
}

Number one_element(const Expression& part, const Moments& now) {
  const Selection selection = select(part, now);
  if (selection.count() != 1) {
    throw UserError{fmt::format(message::index_needed, selection.text(), selection.count())};
  }
  const std::uint64_t element =
      selection.element(std::vector<std::uint64_t>(selection.dimensions.size()));
  const auto numbers = numbers_of(element_bits(now.target.golden(), selection, element),
                                  selection.width, selection.type);
  if (numbers.size() == 1) return numbers.front();
  throw UserError{fmt::format(message::several_numbers, selection.text(),
                              number_type_name(selection.type), numbers.size())};
}

std::uint64_t index_value(const ExpressionPointer& expression, const Moments& now,
                          std::uint64_t absent) {
  if (!expression) return absent;
  const Number number = evaluate(*expression, now);
  if (number.real) throw UserError{message::index_not_integer};
  return bits(number);
}

void take(Dimension& dimension, const Index& index, const std::string& name, const Moments& now) {
  const std::uint64_t low = index_value(index.low, now, 0);
  const std::uint64_t high =
      index.range ? index_value(index.high, now, dimension.size) : low + dimension.step;
  if (low % dimension.step != 0 || high % dimension.step != 0) {
    throw UserError{fmt::format(message::address_step, name, dimension.step)};
  }
  if (low >= high || high > dimension.size) {
    const std::string asked = index.range
                                  ? fmt::format("{}:{}", static_cast<std::int64_t>(low), high)
                                  : fmt::format("{}", static_cast<std::int64_t>(low));
    throw UserError{fmt::format(message::index_outside, asked, name, dimension.size)};
  }
  dimension.first = low;
  dimension.count = (high - low) / dimension.step;
  dimension.single = !index.range;
}

}  // namespace

Selection select(const Expression& part, const Moments& now) {
  Selection selection = part.whole;
  for (std::size_t i = 0; i < part.indices.size(); ++i) {
    take(selection.dimensions[i], part.indices[i], selection.name, now);
  }
  if (part.type) selection.type = *part.type;
  return selection;
}

Number evaluate(const Expression& expression, const Moments& now) {
  switch (expression.kind) {
    case Expression::Kind::number: return expression.number;
    case Expression::Kind::variable: return variable(expression.variable, now);
    case Expression::Kind::part: return one_element(expression, now);
    case Expression::Kind::operation: break;
  }
  const Number left = evaluate(*expression.left, now);
  if (!expression.right) return apply(expression.operation, left, left);
  // The right side may be undefined if the left one decides: s1 < 10 && smem[s1] == 3.
  if (expression.operation == Operator::logical_and && !left.is_true()) return truth(false);
  if (expression.operation == Operator::logical_or && left.is_true()) return truth(true);
  return apply(expression.operation, left, evaluate(*expression.right, now));
}

std::vector<const Expression*> parts_of(const Expression& expression) {
  std::vector<const Expression*> parts;
  const auto add = [&parts](const ExpressionPointer& inner) {
    if (!inner) return;
    for (const Expression* part : parts_of(*inner)) parts.push_back(part);
  };
  if (expression.kind == Expression::Kind::part) parts.push_back(&expression);
  add(expression.left);
  add(expression.right);
  for (const Index& index : expression.indices) {
    add(index.low);
    add(index.high);
  }
  return parts;
}

bool uses_variables(const Expression& expression) {
  const auto inside = [](const ExpressionPointer& inner) {
    return inner && uses_variables(*inner);
  };
  if (expression.kind == Expression::Kind::variable) return true;
  if (inside(expression.left) || inside(expression.right)) return true;
  for (const Index& index : expression.indices) {
    if (inside(index.low) || inside(index.high)) return true;
  }
  return false;
}

}  // namespace tandem::debug
