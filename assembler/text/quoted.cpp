#include "assembler/text/quoted.hpp"

#include <algorithm>

namespace tandem::assembly {
namespace {

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

int letter_value(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case '\\':
    case '\'':
    case '"': return c;
    default: return -1;
  }
}

// Up to `most` digits of a base. More hexadecimal digits mean different bytes in C and in GNU as.
Escape read_digits(const char* at, const char* end, int base, int most) {
  Escape escape{0, at};
  for (; escape.end != end && digit_of(*escape.end) < base; ++escape.end) {
    if (base == 8 && escape.end == at + most) break;
    if (escape.end == at + most) escape.value = 256;
    if (escape.value < 256) escape.value = escape.value * base + digit_of(*escape.end);
  }
  if (escape.end == at || escape.value > 255) escape.value = -1;
  return escape;
}

}  // namespace

std::string_view trimmed(const char* begin, const char* end) {
  while (begin != end && (*begin == ' ' || *begin == '\t')) ++begin;
  while (end != begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

Escape read_escape(const char* at, const char* end) {
  const char* first = at + 1;
  if (first == end || *first == '\n') return {-1, first};
  if (*first == 'x') return read_digits(first + 1, end, 16, 2);
  if (digit_of(*first) < 8) return read_digits(first, end, 8, 3);
  const int value = letter_value(*first++);
  while (first != end && (*first & 0xc0) == 0x80) ++first;  // the rest of a UTF-8 character
  return {value, first};
}

const char* skip_quoted(const char* at, const char* end) {
  const bool string = *at == '"';
  const auto first_after = [end](const char* slash) {
    return slash + 1 == end || slash[1] == '\n' ? slash + 1 : slash + 2;
  };
  const char* p = at + 1;
  for (unsigned characters = 0; p != end && *p != '\n'; ++characters) {
    if (*p == *at && (string || characters == 1)) return p + 1;
    if (!string && characters == 1) return at;
    if (*p != '\\') {
      ++p;
    } else {
      // An invalid escape is an error later; the character after its backslash does not close the
      // quote.
      const Escape escape = read_escape(p, end);
      p = escape.value < 0 ? first_after(p) : escape.end;
    }
  }
  return at;
}

bool ItemScanner::list_ends(const char* at, int depth) const {
  if (at == end_ || *at == '\n' || *at == '#') return true;
  if (*at == '/' && at + 1 != end_ && at[1] == '/') return true;
  return in_braces_ && depth <= 0 && (*at == ';' || *at == '}');
}

const char* ItemScanner::item_end(const char* at) const {
  for (int depth = 0; !list_ends(at, depth); ++at) {
    if (*at == ',' && depth <= 0) return at;
    if (*at == '"' || *at == '\'') {
      const char* after = skip_quoted(at, end_);
      if (after != at) at = after - 1;
    } else if (*at == '(' || *at == '[' || *at == '{') {
      ++depth;
    } else if (*at == ')' || *at == ']' || *at == '}') {
      --depth;
    }
  }
  return at;
}

}  // namespace tandem::assembly
