#include "assembler/words.hpp"

#include <algorithm>

#include "assembler/text/quoted.hpp"

namespace tandem::assembly {
namespace {

struct Lookalike {
  std::string_view character;
  std::string_view hint;
};

// Typographic replacements that word processors and web pages make for the intended characters.
constexpr Lookalike lookalikes[] = {
    {"\xe2\x80\x9c", "write \""},
    {"\xe2\x80\x9d", "write \""},
    {"\xe2\x80\x98", "write '"},
    {"\xe2\x80\x99", "write '"},
    {"\xe2\x88\x92", "write -"},
    {"\xe2\x80\x93", "write -"},
    {"\xe2\x80\x94", "write -"},
    {"\xc3\x97", "write *"},
    {"\xc2\xa0", "this is a no-break space; write a plain one"},
    {"\xef\xbb\xbf", "this is a byte order mark; save the text without one"},
};

bool report_number(Context& context, const Lexer& lexer, const std::string& text) {
  const bool hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
  const bool real = !hexadecimal && text.find_first_not_of("0123456789.eE+-f") == std::string::npos;
  const bool hex_digits = hexadecimal && text.size() > 2 &&
                          text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
  std::string hint;
  if (digits || hex_digits) {
    hint = "it is too large: an integer has 64 bits, at most 0xffffffffffffffff";
  } else if (real && text.back() != 'e' && text.back() != 'E') {
    hint = "it is too large or too small: a real is between 1e-307 and 1e308";
  }
  return context.reporter.error(Code::bad_number, lexer.span(), hint, text);
}

// Letters of other alphabets and typographic signs. A word is shown starting at its first such
// letter.
bool report_foreign(Context& context, const Lexer& lexer, std::string_view text) {
  const auto* foreign = std::find_if(text.begin(), text.end(),
                                     [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  const std::string_view rest = text.substr(static_cast<std::size_t>(foreign - text.begin()));
  const std::string_view character = rest.substr(0, character_bytes(rest));
  std::string hint = "names are made of a to z, A to Z, digits, `_`, `.` and `$`";
  for (const Lookalike& row : lookalikes) {
    if (row.character == character) hint = row.hint;
  }
  const bool whole = character.size() > 1;
  return context.reporter.error(
      Code::bad_character, lexer.span(), hint,
      whole ? std::string(character)
            : fmt::format("\\x{:02x}", static_cast<unsigned char>(character[0])));
}

bool report_invalid(Context& context, const Lexer& lexer) {
  const std::string_view text = lexer.token().text();
  const char first = text[0];
  if (first == '\'' && text.size() > 1) {
    Span escape = lexer.span();
    ++escape.begin;
    return report_escape(context, escape);
  }
  if (first == '"') return context.reporter.error(Code::open_string, lexer.span(), "");
  if (first >= '0' && first <= '9') return report_number(context, lexer, std::string(text));
  if (text.starts_with(c_comment)) {
    return context.reporter.error(Code::bad_character, lexer.span(),
                                  "a comment begins with # or // and ends with its line",
                                  c_comment);
  }
  if (std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; })) {
    return report_foreign(context, lexer, text);
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

bool report_escape(Context& context, const Span& where) {
  const std::string_view text(where.begin, static_cast<std::size_t>(where.end - where.begin));
  return context.reporter.error(Code::bad_character, where, std::string(escape_hint), text);
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
