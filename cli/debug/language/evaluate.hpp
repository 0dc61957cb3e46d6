// The value of an expression at the program's current position.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cli/debug/language/expression.hpp"
#include "cli/debug/target/target.hpp"

namespace tandem::debug {

struct Moments {
  const Target& target;
  std::uint64_t bundle = 0;  // position
};

// The value; throws UserError if there is none: several elements, a division by zero, an index out
// of range.
Number evaluate(const Expression& expression, const Moments& now);
inline bool holds(const Expression& expression, const Moments& now) {
  return evaluate(expression, now).is_true();
}

// The elements that a `part` names now, indices evaluated.
Selection select(const Expression& part, const Moments& now);

// Every `part` in an expression, including those in indices.
std::vector<const Expression*> parts_of(const Expression& expression);
// Whether the value can change without a register or memory changing.
bool uses_variables(const Expression& expression);

}  // namespace tandem::debug
