#include "assembler/text/labels.hpp"

#include <algorithm>

#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

void skip_blanks(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
}

std::optional<std::string_view> take_label(std::string_view& line) {
  std::string_view rest = line;
  skip_blanks(rest);
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_identifier_part);
  const std::string_view name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(name.size());
  skip_blanks(rest);
  if (name.empty() || !rest.starts_with(':')) return std::nullopt;
  line = rest.substr(1);
  return name;
}

}  // namespace tandem::assembly
