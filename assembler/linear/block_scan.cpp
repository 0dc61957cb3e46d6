#include "assembler/linear/block_scan.hpp"

#include <algorithm>

namespace tandem::assembly {
namespace {

const char* skip_blanks(const char* at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') ++at;
  return at;
}

// After a word; in the body of a macro it may contain parameters: `again\@`, `row\i\()x`.
const char* skip_word(const char* at) {
  for (;;) {
    while (is_identifier_part(*at)) ++at;
    if (*at != '\\') return at;
    if (at[1] == '@') {
      at += 2;
    } else if (at[1] == '(' && at[2] == ')') {
      at += 3;
    } else if (is_identifier_part(at[1])) {
      at += 1;
    } else {
      return at;
    }
  }
}

// The first word of a line that is not a label.
std::string_view first_word(const char* at) {
  for (;;) {
    at = skip_blanks(at);
    const char* end = skip_word(at);
    const char* after = skip_blanks(end);
    if (end == at || *after != ':') return {at, static_cast<std::size_t>(end - at)};
    at = after + 1;
  }
}

}  // namespace

BlockLine find_block_line(const Buffer& buffer, const char* from, std::string_view open,
                          std::string_view close, std::initializer_list<std::string_view> wanted) {
  unsigned depth = 0;
  for (const char* line = from; line < buffer.end();) {
    const std::string_view word = first_word(line);
    if (depth == 0 && std::find(wanted.begin(), wanted.end(), word) != wanted.end()) {
      return {line, word.data(), word};
    }
    if (word == open) ++depth;
    if (word == close) --depth;
    const char* end = std::find(line, buffer.end(), '\n');
    line = end == buffer.end() ? end : end + 1;
  }
  return {};
}

}  // namespace tandem::assembly
