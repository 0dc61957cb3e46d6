// Characters to tokens. Tokens are views into the buffer: nothing is allocated.
#pragma once

#include <cstdint>
#include <string_view>

#include "assembler/text/source.hpp"

namespace tandem::assembly {

enum class TokenKind : std::uint8_t {
  end,      // of the buffer
  newline,  // only outside braces; inside, it is white space
  identifier,
  integer,
  real,
  string,   // with its quotes
  invalid,  // an invalid character or number
  comma,
  semicolon,
  colon,
  question,
  at,
  equals,
  open_brace,
  close_brace,
  open_bracket,
  close_bracket,
  open_paren,
  close_paren,
  plus,
  minus,
  star,
  slash,
  percent,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal_equal,
  not_equal,
  bit_and,
  bit_or,
  bit_xor,
  tilde,
  exclamation,
  and_and,
  or_or,
};

struct Token {
  TokenKind kind = TokenKind::end;
  const char* begin = nullptr;
  const char* end = nullptr;
  std::uint64_t integer = 0;
  double real = 0;

  [[nodiscard]] std::string_view text() const {
    return {begin, static_cast<std::size_t>(end - begin)};
  }
  [[nodiscard]] bool is(TokenKind wanted) const { return kind == wanted; }
};

class Lexer {
 public:
  explicit Lexer(const Buffer& buffer, bool in_braces = false)
      : buffer_(&buffer), at_(buffer.begin()), line_(buffer.first_line), in_braces_(in_braces) {
    advance();
  }

  [[nodiscard]] const Token& token() const { return token_; }
  [[nodiscard]] const Buffer& buffer() const { return *buffer_; }
  [[nodiscard]] Span span() const { return {buffer_, token_.begin, token_.end}; }
  [[nodiscard]] Span span(const Token& token) const { return {buffer_, token.begin, token.end}; }
  // From the beginning of `first` to the end of the token before the current one.
  [[nodiscard]] Span span_from(const char* first) const { return {buffer_, first, last_end_}; }
  // Line of the current token, as a line of the file.
  [[nodiscard]] std::uint32_t line() const { return line_; }

  void advance();
  // Takes the current token if it is of this kind.
  bool accept(TokenKind kind) {
    if (token_.kind != kind) return false;
    advance();
    return true;
  }

  // The first character after the current token that is not a blank.
  [[nodiscard]] char peek() const;

  // Whether the current token is a word or `@` and the first on its line.
  [[nodiscard]] bool begins_line() const;
  // Whether it is the first on its line, whatever its kind; not on the first line of a text.
  [[nodiscard]] bool first_on_line() const;

  // Inside braces the ends of lines are white space.
  void set_in_braces(bool inside) { in_braces_ = inside; }
  [[nodiscard]] bool in_braces() const { return in_braces_; }

  // Takes `%` and the characters of a name right after it as one token, which is returned.
  // Precondition: the current token is a percent sign.
  Token take_virtual();

  // Moves to the newline that ends the current line (or the end of the buffer).
  void skip_line();
  // Continues at this character, which must not be before the current token.
  void resume_at(const char* position);
  // Goes back to a token on the current line or in the current braces; the line number is then only
  // good for a copy of the lexer that is thrown away.
  void rewind_to(const Token& token) {
    token_ = token;
    at_ = token.end;
  }

 private:
  void skip_space();
  void lex_identifier();
  void lex_number();
  void lex_string();
  void lex_character();
  void lex_punctuation();
  void lex_foreign();
  void lex_c_comment();
  void finish(TokenKind kind, const char* end) {
    token_.kind = kind;
    token_.end = end;
    at_ = end;
  }

  const Buffer* buffer_;
  const char* at_;
  const char* last_end_ = nullptr;
  std::uint32_t line_;
  bool in_braces_;
  Token token_;
};

// Bytes that belong together: 1, or those of one UTF-8 character.
std::size_t character_bytes(std::string_view text);
inline constexpr std::string_view c_comment = "/*";

bool is_identifier_start(char c);
bool is_identifier_part(char c);

}  // namespace tandem::assembly
