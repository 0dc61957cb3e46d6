#include "cli/debug/language/tokens.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem::debug {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

constexpr std::array<std::string_view, 8> long_symbols{
    "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"};
constexpr std::string_view short_symbols = "+-*/%&|^~!<>()[]:,.";

constexpr std::size_t longest_expression = 4096;  // evaluation recurses

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(next());
    } while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  Token next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == text_.size()) return {Token::Kind::end, "", {}, at_};
    if (is_digit(text_[at_])) return number();
    if (is_name(text_[at_])) return name();
    return symbol();
  }

  Token name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    return {Token::Kind::name, std::string(text_.substr(start, at_ - start)), {}, start};
  }

  Token symbol() {
    const std::size_t start = at_;
    for (const std::string_view symbol : long_symbols) {
      if (text_.substr(at_, 2) != symbol) continue;
      at_ += 2;
      return {Token::Kind::symbol, std::string(symbol), {}, start};
    }
    if (short_symbols.find(text_[at_]) == std::string_view::npos) {
      expression_error(text_, at_, fmt::format("'{}' is not understood", text_[at_]));
    }
    return {Token::Kind::symbol, std::string(1, text_[at_++]), {}, start};
  }

  Token number() {
    const std::size_t start = at_;
    const std::string_view rest = text_.substr(at_);
    Token token{Token::Kind::number, "", {}, start};
    const bool is_hex = rest.size() > 1 && rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X');
    const char* const end = rest.data() + rest.size();
    const char* const digits = rest.data() + (is_hex ? 2 : 0);
    auto whole = std::from_chars(digits, end, token.number.whole, is_hex ? 16 : 10);
    bool good = whole.ec == std::errc();
    const char* stop = whole.ptr;
    if (!is_hex && stop != end && (*stop == '.' || *stop == 'e' || *stop == 'E')) {
      const auto real = std::from_chars(rest.data(), end, token.number.fraction);
      good = real.ec == std::errc();
      token.number.real = true;
      stop = real.ptr;
    }
    at_ += static_cast<std::size_t>(stop - rest.data());
    if (!good || (at_ < text_.size() && is_name(text_[at_]))) {
      expression_error(text_, start, "this is not a number, or too large");
    }
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  if (text.size() > longest_expression) {
    throw UserError{fmt::format(message::expression_too_long, longest_expression)};
  }
  return Lexer(text).all();
}

void expression_error(std::string_view text, std::size_t at, const std::string& message) {
  throw UserError{fmt::format(message::underlined, message, text, "^", at + 1)};
}

}  // namespace tandem::debug
