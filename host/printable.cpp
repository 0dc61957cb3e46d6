#include "host/printable.hpp"

#include <fmt/format.h>

namespace tandem {
namespace {

constexpr std::size_t longest_line = 2000;                   // bytes
constexpr std::size_t longest_text = std::size_t{1} << 18U;  // bytes

unsigned at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// The number of bytes of the UTF-8 character at the beginning of the text; 0 if there is none.
std::size_t length_of(std::string_view text) {
  const unsigned first = at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(text, i) & 0xc0U) != 0x80) return 0;
  }
  return length;
}

// C0 and C1 controls, and characters that change the direction of writing (U+202A to U+202E, U+2066
// to U+2069).
bool is_control(std::string_view character) {
  const unsigned first = at(character, 0);
  if (character.size() == 1)
    return (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
  if (character.size() == 2) return first == 0xc2 && at(character, 1) < 0xa0;
  if (character.size() != 3 || first != 0xe2) return false;
  const unsigned last = at(character, 2);
  return (at(character, 1) == 0x80 && last >= 0xaa && last <= 0xae) ||
         (at(character, 1) == 0x81 && last >= 0xa6 && last <= 0xa9);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  std::size_t line = 0;  // where it begins in `out`
  while (!text.empty()) {
    const std::size_t length = length_of(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    if (length == 0 || is_control(character)) {
      for (const char byte : character) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      }
    } else {
      out += character;
    }
    if (character == "\n") line = out.size();
    if (out.size() > longest_text) return out + "...\n";
    if (out.size() - line <= longest_line) continue;
    const std::size_t end = text.find('\n');
    out += "...";
    text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    if (text.empty()) break;
  }
  return out;
}

}  // namespace tandem
