#include "isa/text/markup.hpp"

namespace tandem {
namespace {

char printable(char c) {
  const bool is_control = static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t';
  return is_control ? '?' : c;
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += printable(c);
    }
  }
  return result;
}

}  // namespace tandem
