// The words of an expression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/debug/language/number.hpp"

namespace tandem::debug {

struct Token {
  enum class Kind : std::uint8_t { number, name, symbol, end };
  Kind kind = Kind::end;
  std::string text;    // of a symbol: "==", "[", "."
  Number number{};     // of a number
  std::size_t at = 0;  // offset in the text
};

// The last token is `end`. Throws UserError.
std::vector<Token> tokens_of(std::string_view text);

// An error at a position: "expression: MESSAGE at column N".
[[noreturn]] void expression_error(std::string_view text, std::size_t at,
                                   const std::string& message);

}  // namespace tandem::debug
