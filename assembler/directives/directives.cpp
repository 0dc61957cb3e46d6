#include "assembler/directives/directives.hpp"

#include <array>

#include "assembler/linear/blocks.hpp"
#include "host/nearest_name.hpp"

namespace tandem::assembly {

namespace {

// The most used come first.
constexpr std::array tables{data_directives,   debug_directives,  section_directives,
                            symbol_directives, linear_directives, function_directives};

const DirectiveRow* find_directive(std::string_view name) {
  for (const auto table : tables) {
    for (const DirectiveRow& row : table()) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

}  // namespace

bool parse_directive(Context& context, Lexer& lexer) {
  const Span name = lexer.span();
  const std::string_view text = lexer.token().text();
  const DirectiveRow* const row = find_directive(text);
  if (row == nullptr) {
    NearestName nearest(text);
    suggest_directives(nearest);
    return context.reporter.error(Code::unknown_directive, name, nearest.hint(), text);
  }
  lexer.advance();
  return row->handler(context, lexer, name);
}

std::vector<std::string_view> directive_names() {
  std::vector<std::string_view> names = Blocks::names();
  for (const auto table : tables) {
    for (const DirectiveRow& row : table()) names.push_back(row.name);
  }
  return names;
}

void suggest_directives(NearestName& nearest) {
  for (const std::string_view name : directive_names()) nearest.consider(name);
}

std::string defined_where(const SymbolEntry& entry) {
  if (entry.defined.buffer == nullptr) return {};
  const SourceSpan where = locate(entry.defined);
  return fmt::format("it is defined at {}:{}", where.file, where.line);
}

}  // namespace tandem::assembly
