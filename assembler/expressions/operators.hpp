// The operators of expressions, on values.
#pragma once

#include "assembler/expressions/value.hpp"
#include "assembler/symbols.hpp"
#include "assembler/text/complaints.hpp"
#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

// 1 (`||`) to 10 (`*`); 0 when the token is not a binary operator.
int precedence_of(TokenKind kind);
bool is_prefix(TokenKind kind);

// left = left op right. nullptr, or the wording of the error, whose placeholder is the operator.
const Code* apply_binary(const SymbolTable& symbols, TokenKind op, Value& left, const Value& right);
const Code* apply_prefix(TokenKind op, Value& value);

}  // namespace tandem::assembly
