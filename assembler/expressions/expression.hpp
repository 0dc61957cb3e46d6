// Expressions: C operators over integers, reals and symbols. Grammar in docs/assembly.md.
#pragma once

#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

// Reads an expression; false (reported) when it is missing or invalid.
bool parse_expression(Context& context, Lexer& lexer, Value& value);
// The same, but the value must be known here: a number without symbols.
bool parse_constant(Context& context, Lexer& lexer, Value& value);
// The same, and an integer in [low, high]; `what` names it in the message.
bool parse_integer(Context& context, Lexer& lexer, std::string_view what, std::int64_t low,
                   std::int64_t high, std::int64_t& result);

// The value with every symbol that is a constant replaced, and differences within one section
// worked out; the rest depends on addresses. Unknown symbols stay. False when constants are defined
// in a circle.
bool simplify(const SymbolTable& symbols, Value& value);

}  // namespace tandem::assembly
