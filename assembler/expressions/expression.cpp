#include "assembler/expressions/expression.hpp"

#include <bit>
#include <cmath>

#include "assembler/expressions/functions.hpp"
#include "assembler/expressions/operators.hpp"
#include "assembler/text/register_name.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

constexpr unsigned max_nesting = 200;  // of parentheses, prefix operators and ?:

class ExpressionParser {
 public:
  ExpressionParser(Context& context, Lexer& lexer) : context_(context), lexer_(lexer) {}

  bool parse(Value& value) {
    const char* first = lexer_.token().begin;
    if (!binary(value, 1)) return false;
    if (!lexer_.accept(TokenKind::question)) return true;
    Value yes;
    Value no;
    if (++nesting_ > max_nesting) return too_deep();
    const bool known = value.is_constant();
    if (!operand(known && !value.truth(), [&] { return parse(yes); })) return false;
    if (!lexer_.accept(TokenKind::colon)) return expected("`:` of `? :`");
    if (!operand(known && value.truth(), [&] { return parse(no); })) return false;
    --nesting_;
    if (!known) return not_constant(first);
    value = value.truth() ? yes : no;
    return true;
  }

 private:
  // As in C, an operand that is not evaluated is still parsed: its names may be unknown, and its
  // computation invalid.
  template <typename Read>
  bool operand(bool discarded, Read read) {
    discarded_ += discarded ? 1 : 0;
    const bool good = read();
    discarded_ -= discarded ? 1 : 0;
    return good;
  }

  // Whether the left side of this operator alone decides the result.
  static bool decides(TokenKind op, const Value& left) {
    if (!left.is_constant()) return false;
    return (op == TokenKind::and_and && !left.truth()) || (op == TokenKind::or_or && left.truth());
  }

  bool binary(Value& left, int lowest) {
    const char* first = lexer_.token().begin;
    if (!unary(left)) return false;
    for (;;) {
      const Token op = lexer_.token();
      const int precedence = precedence_of(op.kind);
      if (precedence < lowest) return true;
      lexer_.advance();
      Value right;
      const bool decided = decides(op.kind, left);
      if (!operand(decided, [&] { return binary(right, precedence + 1); })) return false;
      if (decided) left = integer_value(left.truth() ? 1 : 0);
      if (decided || discarded_ != 0) continue;
      const Value before = left;
      const Code* trouble = apply_binary(context_.symbols, op.kind, left, right);
      if (trouble == nullptr) continue;
      if (*trouble == Code::not_relocatable && unknown_symbol({before, right})) return false;
      return context_.reporter.error(*trouble, lexer_.span_from(first), "", op.text());
    }
  }

  // An address that cannot be combined may really be a missing constant.
  bool unknown_symbol(std::initializer_list<Value> values) {
    for (const Value& value : values) {
      for (const SymbolId id : {value.symbol, value.minus}) {
        if (id == no_symbol || context_.symbols[id].kind != SymbolKind::unknown) continue;
        const SymbolEntry& entry = context_.symbols[id];
        context_.reporter.error(Code::undefined_symbol, entry.defined,
                                "in this expression it must be known: define it further up",
                                entry.name);
        return true;
      }
    }
    return false;
  }

  bool unary(Value& value) {
    const Token op = lexer_.token();
    if (!is_prefix(op.kind)) return primary(value);
    if (++nesting_ > max_nesting) return too_deep();
    lexer_.advance();
    if (!unary(value)) return false;
    --nesting_;
    if (discarded_ != 0) return true;
    const Code* trouble = apply_prefix(op.kind, value);
    if (trouble == nullptr) return true;
    return context_.reporter.error(*trouble, lexer_.span_from(op.begin), "", op.text());
  }

  bool primary(Value& value) {
    const Token token = lexer_.token();
    switch (token.kind) {
      case TokenKind::integer:
        value = integer_value(static_cast<std::int64_t>(token.integer));
        break;
      case TokenKind::real: value = real_value(token.real); break;
      case TokenKind::open_paren: return parenthesis(value);
      case TokenKind::identifier: return name(value);
      default: return expected("an expression");
    }
    lexer_.advance();
    return true;
  }

  bool parenthesis(Value& value) {
    if (++nesting_ > max_nesting) return too_deep();
    lexer_.advance();
    if (!parse(value)) return false;
    --nesting_;
    return lexer_.accept(TokenKind::close_paren) || expected("`)`");
  }

  bool name(Value& value) {
    const Token token = lexer_.token();
    lexer_.advance();
    if (lexer_.token().is(TokenKind::open_paren)) return call(token, value);
    if (builtin_constant(context_, token.text(), value)) return true;
    return symbol(token, value);
  }

  bool symbol(const Token& token, Value& value) {
    NamedRegister unused;
    if (read_register(token.text(), unused)) {
      return context_.reporter.error(
          Code::register_in_expression, lexer_.span(token),
          "registers are added by an operation; an address is [s3 + 8], the "
          "register first",
          token.text());
    }
    if (discarded_ != 0) {
      value = integer_value(0);
      return true;
    }
    const SymbolId id = context_.symbols.intern(token.text());
    SymbolEntry& entry = context_.symbols[id];
    entry.used = true;
    switch (entry.kind) {
      case SymbolKind::constant: value = entry.value; return true;
      case SymbolKind::register_alias:
        return context_.reporter.error(Code::register_in_expression, lexer_.span(token), "",
                                       token.text());
      case SymbolKind::tensor:
        return context_.reporter.error(
            Code::tensor_has_no_value, lexer_.span(token),
            fmt::format("`{}.entry` is the offset of its argument block entry", token.text()),
            token.text());
      case SymbolKind::unknown:
        if (entry.defined.buffer == nullptr) entry.defined = lexer_.span(token);
        break;
      case SymbolKind::imported:
      case SymbolKind::label: break;
    }
    value = Value{};
    value.symbol = id;
    return true;
  }

  bool call(const Token& function, Value& value) {
    lexer_.advance();
    if (function.text() == "defined") return defined(value);
    std::vector<Value> arguments;
    if (++nesting_ > max_nesting) return too_deep();
    do {
      if (!parse(arguments.emplace_back())) return false;
    } while (lexer_.accept(TokenKind::comma));
    --nesting_;
    if (!lexer_.accept(TokenKind::close_paren)) return expected("`)`");
    const Code* trouble = apply_function(function.text(), arguments, value);
    if (trouble == nullptr || (discarded_ != 0 && *trouble == Code::bad_argument)) return true;
    return context_.reporter.error(*trouble, lexer_.span_from(function.begin),
                                   function_hint(*trouble, function.text()), function.text());
  }

  bool defined(Value& value) {
    if (!lexer_.token().is(TokenKind::identifier)) return expected("a name");
    const SymbolId id = context_.symbols.find(lexer_.token().text());
    const bool known = id != no_symbol && context_.symbols[id].kind != SymbolKind::unknown;
    if (id != no_symbol) context_.symbols[id].used = true;
    value = integer_value(known || context_.macros.count(lexer_.token().text()) != 0 ? 1 : 0);
    lexer_.advance();
    return lexer_.accept(TokenKind::close_paren) || expected("`)`");
  }

  bool expected(std::string_view what) { return report_expected(context_, lexer_, what); }
  bool too_deep() {
    return context_.reporter.error(Code::nested_too_deep, lexer_.span(), "", max_nesting);
  }
  bool not_constant(const char* first) {
    return context_.reporter.error(Code::not_constant, lexer_.span_from(first),
                                   "its symbols must be numbers defined above");
  }

  Context& context_;
  Lexer& lexer_;
  unsigned nesting_ = 0;
  unsigned discarded_ = 0;  // enclosing operands that are not evaluated
};

}  // namespace

bool parse_expression(Context& context, Lexer& lexer, Value& value) {
  return ExpressionParser(context, lexer).parse(value);
}

bool parse_constant(Context& context, Lexer& lexer, Value& value) {
  const char* first = lexer.token().begin;
  if (!parse_expression(context, lexer, value)) return false;
  if (value.is_constant()) return true;
  return context.reporter.error(Code::not_constant, lexer.span_from(first),
                                "its symbols must be numbers defined above");
}

bool parse_integer(Context& context, Lexer& lexer, std::string_view what, std::int64_t low,
                   std::int64_t high, std::int64_t& result) {
  const char* first = lexer.token().begin;
  Value value;
  if (!parse_constant(context, lexer, value)) return false;
  if (value.is_real) {
    return context.reporter.error(Code::not_integer, lexer.span_from(first), "", what);
  }
  result = value.integer;
  if (result >= low && result <= high) return true;
  return context.reporter.error(Code::out_of_range, lexer.span_from(first), "", what, result, low,
                                high);
}

}  // namespace tandem::assembly
