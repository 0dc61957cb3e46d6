// "expected X, found Y".
#pragma once

#include <string>
#include <string_view>

#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

// "`vadd`", "the end of the line", "a string".
std::string token_description(const Token& token);
// Reports that `what` was expected where the lexer is; returns false.
bool report_expected(Context& context, const Lexer& lexer, std::string_view what,
                     const std::string& hint = {});
// Reports an invalid escape after a backslash; returns false.
bool report_escape(Context& context, const Span& where);
// Takes a token of this kind or reports that `what` was expected.
inline bool expect(Context& context, Lexer& lexer, TokenKind kind, std::string_view what) {
  return lexer.accept(kind) || report_expected(context, lexer, what);
}

}  // namespace tandem::assembly
