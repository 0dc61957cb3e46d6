// Quoted text: strings and characters, and the escapes in both. Everything that reads raw text
// (tokens, arguments of macros) finds the ends of quotes here.
#pragma once

#include <string_view>

namespace tandem::assembly {

inline constexpr std::string_view escape_hint =
    R"(escapes are \n \t \r \a \b \f \v \\ \" \', \101 (octal, up to three digits, at most 377) )"
    R"(and \x41 (one or two hexadecimal digits))";

struct Escape {
  int value = -1;             // of the byte; -1: no such escape
  const char* end = nullptr;  // after it; for an invalid escape, the end of the text to show
};
// The escape at this backslash.
Escape read_escape(const char* at, const char* end);

// After the string or character that begins at this quote; `at` itself if there is none, for
// instance because it is not closed on its line.
const char* skip_quoted(const char* at, const char* end);

// Without leading and trailing blanks.
std::string_view trimmed(const char* begin, const char* end);

// Iterates over the text of a list on one line. `at` moves to the comma that ends the item that
// begins there, or to the end of the list: of the line, at a comment, or, in braces, at `;` or `}`.
class ItemScanner {
 public:
  ItemScanner(const char* end, bool in_braces) : end_(end), in_braces_(in_braces) {}
  [[nodiscard]] const char* item_end(const char* at) const;

 private:
  [[nodiscard]] bool list_ends(const char* at, int depth) const;

  const char* end_;
  bool in_braces_;
};

}  // namespace tandem::assembly
