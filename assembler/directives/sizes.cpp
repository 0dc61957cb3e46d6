// The sizes of a tensor: numbers, names, `?`, and what is made of names: `[rows, n - 4, 2*LANES]`.
#include <fmt/format.h>

#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/expressions/functions.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"
#include "isa/launch/size_expression.hpp"

namespace tandem::assembly {
namespace {

constexpr std::string_view size_form =
    "a size of other sizes has their names, integers, + - * / % and parentheses";

// Whether the token is a word that the text gives no number: the name of a size.
bool names_size(Context& context, const Lexer& lexer) {
  const std::string_view name = lexer.token().text();
  if (!lexer.token().is(TokenKind::identifier) || lexer.peek() == '(') return false;
  const SymbolId id = context.symbols.find(name);
  return !is_builtin_constant(name) &&
         (id == no_symbol || context.symbols[id].kind != SymbolKind::constant);
}

bool ends_size(const Token& token) {
  return token.is(TokenKind::comma) || token.is(TokenKind::close_bracket) ||
         token.is(TokenKind::newline) || token.is(TokenKind::end);
}

// How many names of sizes come before the next comma or the end; and whether anything else does.
struct Ahead {
  unsigned names = 0;
  bool more = false;
};
Ahead look_ahead(Context& context, Lexer lexer) {
  Ahead ahead;
  for (; !ends_size(lexer.token()); lexer.advance()) {
    const bool is_name = names_size(context, lexer);
    ahead.more |= ahead.names != 0 || !is_name;
    ahead.names += is_name ? 1 : 0;
  }
  return ahead;
}

bool report_form(Context& context, const Lexer& lexer, std::string_view what) {
  return report_expected(context, lexer, what, std::string(size_form));
}

// A number or the name of one, in decimal.
bool add_number(Context& context, Lexer& lexer, std::string& text) {
  if (lexer.peek() == '(') return report_form(context, lexer, "a size");
  const Token& token = lexer.token();
  Value value;
  if (token.is(TokenKind::integer)) {
    value = integer_value(static_cast<std::int64_t>(token.integer));
  } else if (!builtin_constant(context, token.text(), value)) {
    SymbolEntry& entry = context.symbols[context.symbols.find(token.text())];
    entry.used = true;
    value = entry.value;
  }
  if (!value.is_integer() || value.integer < 0) {
    return report_form(context, lexer, "an integer from 0 on");
  }
  text += fmt::format("{} ", value.integer);
  return true;
}

// One token of a size as the file keeps it; false when it was reported.
bool add_token(Context& context, Lexer& lexer, std::string& text) {
  const Token& token = lexer.token();
  const bool is_name = names_size(context, lexer);
  if (is_name) context.size_names.push_back(lexer.span());
  if (!is_name && (token.is(TokenKind::identifier) || token.is(TokenKind::integer))) {
    if (!add_number(context, lexer, text)) return false;
  } else {
    text.append(token.text()).append(" ");
  }
  lexer.advance();
  return true;
}

// `n - 4`
bool parse_size_of_sizes(Context& context, Lexer& lexer, std::string& name) {
  const Lexer first = lexer;
  std::string text;
  while (!ends_size(lexer.token())) {
    if (!add_token(context, lexer, text)) return false;
  }
  SizeExpression size = read_size(text);
  if (!size.good) return report_form(context, first, "a size");
  name = std::move(size.text);
  return true;
}

bool parse_size(Context& context, Lexer& lexer, Tensor& tensor, SizeForms forms) {
  tensor.dimension_names.emplace_back();
  tensor.dimensions.push_back(dimension_from_data);
  if (lexer.accept(TokenKind::question)) return true;
  const Ahead ahead = look_ahead(context, lexer);
  if (ahead.names == 1 && !ahead.more) {
    tensor.dimension_names.back() = lexer.token().text();
    lexer.advance();
    return true;
  }
  if (ahead.names == 0) {
    return parse_integer(context, lexer, "size", 0, 0xffff'ffff, tensor.dimensions.back());
  }
  if (forms == SizeForms::expressions) {
    return parse_size_of_sizes(context, lexer, tensor.dimension_names.back());
  }
  return report_expected(context, lexer, "a number, a name or `?`",
                         "what a function takes has no sizes that are made of others");
}

}  // namespace

bool parse_shape(Context& context, Lexer& lexer, Tensor& tensor, SizeForms forms) {
  const Span open = lexer.span();
  if (!expect(context, lexer, TokenKind::open_bracket, "`[` of the shape")) return false;
  while (!lexer.token().is(TokenKind::close_bracket)) {
    if (!parse_size(context, lexer, tensor, forms)) return false;
    if (!lexer.accept(TokenKind::comma)) break;
  }
  if (!expect(context, lexer, TokenKind::close_bracket, "`,` or `]`")) return false;
  if (tensor.dimensions.size() <= max_rank) return true;
  return context.reporter.error(Code::rank_too_high, open, "", tensor.dimensions.size(), max_rank);
}

}  // namespace tandem::assembly
