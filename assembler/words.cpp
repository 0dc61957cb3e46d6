#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

bool report_invalid(Context& context, const Lexer& lexer) {
  const Token& token = lexer.token();
  const char first = *token.begin;
  if (first == '"') return context.reporter.error(Code::open_string, lexer.span(), "");
  if (first >= '0' && first <= '9') {
    return context.reporter.error(Code::bad_number, lexer.span(), "", token.text());
  }
  const bool printable = first > ' ' && first < 127;
  const std::string shown = printable ? std::string(1, first)
                                      : fmt::format("\\x{:02x}", static_cast<unsigned char>(first));
  const std::string hint =
      first == '\\' ? "a parameter of the macro, spelled as in its first line" : "";
  return context.reporter.error(Code::bad_character, lexer.span(), hint, shown);
}

}  // namespace

std::string token_description(const Token& token) {
  switch (token.kind) {
    case TokenKind::end: return "the end of the text";
    case TokenKind::newline: return "the end of the line";
    default: break;
  }
  constexpr std::size_t longest = 40;
  const bool cut = token.text().size() > longest;
  return fmt::format("`{}{}`", token.text().substr(0, longest), cut ? "..." : "");
}

bool report_expected(Context& context, const Lexer& lexer, std::string_view what,
                     const std::string& hint) {
  if (lexer.token().is(TokenKind::invalid)) return report_invalid(context, lexer);
  Span where = lexer.span();
  if (lexer.token().is(TokenKind::newline)) where.end = where.begin;
  return context.reporter.error(Code::expected, where, hint, what,
                                token_description(lexer.token()));
}

}  // namespace tandem::assembly
