#include "assembler/text/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "assembler/text/quoted.hpp"

namespace tandem::assembly {
namespace {

enum CharClass : std::uint8_t { other = 0, start = 1, digit = 2, space = 4 };

constexpr auto classes = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = start;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = start;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = digit;
  table['_'] = table['.'] = table['$'] = start;
  table[' '] = table['\t'] = table['\r'] = space;
  return table;
}();

std::uint8_t class_of(char c) { return classes[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return class_of(c) == digit; }
bool is_foreign(char c) { return static_cast<unsigned char>(c) >= 0x80; }

struct Punctuation {
  char first;
  char second;  // 0: a single character
  TokenKind kind;
};

// Longer ones first.
constexpr std::array<Punctuation, 32> punctuation{{
    {'<', '<', TokenKind::shift_left},
    {'>', '>', TokenKind::shift_right},
    {'<', '=', TokenKind::less_equal},
    {'>', '=', TokenKind::greater_equal},
    {'=', '=', TokenKind::equal_equal},
    {'!', '=', TokenKind::not_equal},
    {'&', '&', TokenKind::and_and},
    {'|', '|', TokenKind::or_or},
    {',', 0, TokenKind::comma},
    {';', 0, TokenKind::semicolon},
    {':', 0, TokenKind::colon},
    {'?', 0, TokenKind::question},
    {'@', 0, TokenKind::at},
    {'=', 0, TokenKind::equals},
    {'{', 0, TokenKind::open_brace},
    {'}', 0, TokenKind::close_brace},
    {'[', 0, TokenKind::open_bracket},
    {']', 0, TokenKind::close_bracket},
    {'(', 0, TokenKind::open_paren},
    {')', 0, TokenKind::close_paren},
    {'+', 0, TokenKind::plus},
    {'-', 0, TokenKind::minus},
    {'*', 0, TokenKind::star},
    {'/', 0, TokenKind::slash},
    {'%', 0, TokenKind::percent},
    {'<', 0, TokenKind::less},
    {'>', 0, TokenKind::greater},
    {'&', 0, TokenKind::bit_and},
    {'|', 0, TokenKind::bit_or},
    {'^', 0, TokenKind::bit_xor},
    {'~', 0, TokenKind::tilde},
    {'!', 0, TokenKind::exclamation},
}};

// First row of `punctuation` for each character, plus one; most have a single row.
constexpr auto punctuation_index = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = punctuation.size(); i-- > 0;) {
    table[static_cast<std::size_t>(punctuation[i].first)] = static_cast<std::uint8_t>(i + 1);
  }
  return table;
}();

}  // namespace

std::size_t character_bytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  std::size_t bytes = 1;
  while (bytes < wanted && bytes < text.size() && (text[bytes] & 0xc0) == 0x80) ++bytes;
  return bytes == wanted ? bytes : 1;
}

bool is_identifier_start(char c) { return class_of(c) == start; }
bool is_identifier_part(char c) { return (class_of(c) & (start | digit)) != 0; }

void Lexer::skip_space() {
  const char* end = buffer_->end();
  for (;;) {
    while (class_of(*at_) == space) ++at_;
    if (*at_ == '#' || (*at_ == '/' && at_[1] == '/')) {
      while (at_ != end && *at_ != '\n') ++at_;
    }
    if (*at_ != '\n' || !in_braces_) return;
    ++at_;
    ++line_;
  }
}

void Lexer::advance() {
  last_end_ = token_.end;
  if (token_.kind == TokenKind::newline) ++line_;
  if (token_.kind == TokenKind::invalid && token_.text().starts_with(c_comment)) {
    line_ += static_cast<std::uint32_t>(std::count(token_.begin, token_.end, '\n'));
  }
  skip_space();
  token_.begin = at_;
  switch (class_of(*at_)) {
    case start: return lex_identifier();
    case digit: return lex_number();
    default: break;
  }
  if (*at_ == '\n') return finish(TokenKind::newline, at_ + 1);
  if (*at_ == '\0' && at_ == buffer_->end()) return finish(TokenKind::end, at_);
  if (*at_ == '"') return lex_string();
  if (*at_ == '\'') return lex_character();
  lex_punctuation();
}

void Lexer::lex_identifier() {
  const char* p = at_ + 1;
  if (*at_ == '.' && is_digit(*p)) return lex_number();
  while (is_identifier_part(*p)) ++p;
  finish(TokenKind::identifier, p);
  if (is_foreign(*p)) lex_foreign();
}

// A word with letters not allowed in names: all of it, so that the error is reported once.
void Lexer::lex_foreign() {
  const char* p = at_;
  while (is_identifier_part(*p) || is_foreign(*p)) ++p;
  finish(TokenKind::invalid, p);
}

// Not a comment in this language, but known from others: the error covers it, and the text after it
// is read.
void Lexer::lex_c_comment() {
  const std::string_view rest(at_, static_cast<std::size_t>(buffer_->end() - at_));
  const std::size_t close = rest.find("*/", 2);
  finish(TokenKind::invalid, close == std::string_view::npos ? buffer_->end() : at_ + close + 2);
}

void Lexer::lex_number() {
  const char* p = at_;
  int base = 10;
  if (*p == '0' && (p[1] == 'x' || p[1] == 'X')) base = 16;
  if (*p == '0' && (p[1] == 'b' || p[1] == 'B')) base = 2;
  const char* digits = base == 10 ? p : p + 2;
  token_.integer = 0;
  const auto whole = std::from_chars(digits, buffer_->end(), token_.integer, base);
  p = whole.ptr;
  TokenKind kind = whole.ec == std::errc() ? TokenKind::integer : TokenKind::invalid;
  if (base == 10 && (*p == '.' || *p == 'e' || *p == 'E')) {
    const auto real = std::from_chars(at_, buffer_->end(), token_.real);
    kind = real.ec == std::errc() ? TokenKind::real : TokenKind::invalid;
    p = real.ptr;
  }
  if (base == 10 && *p == 'f' && kind != TokenKind::invalid) {  // 1.5f, 2f
    if (kind == TokenKind::integer) token_.real = static_cast<double>(token_.integer);
    kind = TokenKind::real;
    ++p;
  }
  if (is_identifier_part(*p)) kind = TokenKind::invalid;
  while (is_identifier_part(*p)) ++p;
  finish(kind, p);
}

void Lexer::lex_string() {
  const char* after = skip_quoted(at_, buffer_->end());
  if (after != at_) return finish(TokenKind::string, after);
  finish(TokenKind::invalid, std::find(at_, buffer_->end(), '\n'));
}

// If it is not a character, the token is the quote alone, or the quote with the invalid escape.
void Lexer::lex_character() {
  const char* p = at_ + 1;
  if (p != buffer_->end() && *p == '\\') {
    const Escape escape = read_escape(p, buffer_->end());
    if (escape.value < 0) return finish(TokenKind::invalid, escape.end);
    token_.integer = static_cast<std::uint64_t>(escape.value);
    p = escape.end;
  } else {
    token_.integer = static_cast<unsigned char>(*p);
    if (p == buffer_->end() || *p == '\n') return finish(TokenKind::invalid, at_ + 1);
    ++p;
  }
  if (p == buffer_->end() || *p != '\'') return finish(TokenKind::invalid, at_ + 1);
  finish(TokenKind::integer, p + 1);
}

void Lexer::lex_punctuation() {
  std::size_t row = punctuation_index[static_cast<unsigned char>(*at_)];
  const std::string_view rest(at_, static_cast<std::size_t>(buffer_->end() - at_));
  if (row == 0) return finish(TokenKind::invalid, at_ + character_bytes(rest));
  if (rest.starts_with(c_comment)) return lex_c_comment();
  for (--row; row < punctuation.size(); ++row) {
    const Punctuation& item = punctuation[row];
    if (item.first != *at_ || (item.second != 0 && item.second != at_[1])) continue;
    return finish(item.kind, at_ + (item.second != 0 ? 2 : 1));
  }
}

char Lexer::peek() const {
  const char* p = token_.end;
  while (class_of(*p) == space) ++p;
  return *p;
}

bool Lexer::begins_line() const {
  return (token_.is(TokenKind::identifier) || token_.is(TokenKind::at)) && first_on_line();
}

bool Lexer::first_on_line() const {
  const char* p = token_.begin;
  while (p != buffer_->begin() && class_of(p[-1]) == space) --p;
  return p != buffer_->begin() && p[-1] == '\n';
}

void Lexer::skip_line() {
  if (token_.kind == TokenKind::newline || token_.kind == TokenKind::end) return;
  in_braces_ = false;
  const bool comment = token_.is(TokenKind::invalid) && token_.text().starts_with(c_comment);
  at_ = comment ? token_.end : token_.begin;
  if (comment) line_ += static_cast<std::uint32_t>(std::count(token_.begin, at_, '\n'));
  token_.kind = TokenKind::identifier;  // its lines are counted
  while (at_ != buffer_->end() && *at_ != '\n') ++at_;
  advance();
}

Token Lexer::take_virtual() {
  const char* p = token_.begin + 1;
  while (is_identifier_part(*p)) ++p;
  finish(TokenKind::percent, p);
  const Token taken = token_;
  advance();
  return taken;
}

void Lexer::resume_at(const char* position) {
  for (const char* p = token_.begin; p < position; ++p) line_ += *p == '\n' ? 1 : 0;
  at_ = position;
  token_.kind = TokenKind::invalid;
  advance();
}

}  // namespace tandem::assembly
