// Names: the target, tensors, constants, register aliases.
#include "assembler/directives/directives.hpp"

#include <algorithm>
#include "assembler/expressions/expression.hpp"
#include "assembler/expressions/functions.hpp"
#include "assembler/operand.hpp"
#include "assembler/statement.hpp"
#include "assembler/text/register_name.hpp"
#include "assembler/words.hpp"
#include "isa/machine.hpp"

namespace tandem::assembly {
namespace {

// `.target small`, or `.target "lanes=32,vmem=2MiB"`
bool target(Context& context, Lexer& lexer, const Span& name) {
  const Span where = lexer.span();
  std::string_view text = lexer.token().text();
  if (lexer.token().is(TokenKind::string)) {
    text = text.substr(1, text.size() - 2);
  } else if (!lexer.token().is(TokenKind::identifier)) {
    return report_expected(context, lexer, "the name of a preset, or sizes in quotes",
                           "machines: " + machine_forms());
  }
  const FoundMachine found = find_sizes(text);
  const Parameters* const preset = found.machine;
  lexer.advance();
  if (preset == nullptr) {
    return context.reporter.error(Code::unknown_preset, where, found.complaint, text_of(where));
  }
  if (!context.options.preset.empty()) return true;  // the command line takes precedence
  if (context.preset != nullptr && context.preset != preset) {
    return context.reporter.error(Code::late_target, name,
                                  "write .target first, and once; before it, nothing may use "
                                  "LANES or another parameter",
                                  context.preset->name);
  }
  context.preset = preset;
  return true;
}

// `, shares x` after `out`: the memory of an earlier tensor of the same type and sizes.
bool sharing(Context& context, Lexer& lexer, Tensor& tensor) {
  if (!lexer.accept(TokenKind::comma)) return true;
  if (lexer.token().text() != "shares") {
    return report_expected(context, lexer, "shares", "an output may share an input's memory");
  }
  lexer.advance();
  const Span name = lexer.span();
  const std::vector<Tensor>& known = context.object.tensors;
  const auto other = std::find_if(known.begin(), known.end(), [&lexer](const Tensor& earlier) {
    return earlier.name == lexer.token().text();
  });
  if (other == known.end() || tensor.input || !may_share(tensor, *other)) {
    return context.reporter.error(Code::cannot_share, name, "", tensor.name, text_of(name));
  }
  tensor.shares = other->name;
  lexer.advance();
  return true;
}

// The name itself and `name.entry`, which lives as long as the context.
bool define_tensor(Context& context, const Span& name) {
  SymbolEntry& bare = context.symbols[context.symbols.intern(text_of(name))];
  if (bare.kind != SymbolKind::unknown) {
    return context.reporter.error(Code::already_defined, name, defined_where(bare), bare.name);
  }
  bare.kind = SymbolKind::tensor;
  bare.defined = name;
  const std::string& full = context.names.emplace_back(std::string(text_of(name)) + ".entry");
  SymbolEntry& entry = context.symbols[context.symbols.intern(full)];
  if (entry.kind != SymbolKind::unknown && entry.kind != SymbolKind::imported) {
    return context.reporter.error(Code::already_defined, name, defined_where(entry), entry.name);
  }
  entry.kind = SymbolKind::label;
  entry.place = Place::tensor;
  entry.offset = context.object.tensors.size() * argument_entry_bytes;
  entry.global = true;
  entry.defined = name;
  return true;
}

// `.tensor x, f32, [rows, cols], in`
bool tensor(Context& context, Lexer& lexer, const Span& /*name*/) {
  const Span name = lexer.span();
  if (!lexer.token().is(TokenKind::identifier)) {
    return report_expected(context, lexer, "the name of the tensor",
                           "the form is `.tensor name, type, [sizes], in|out|inout`");
  }
  Tensor tensor;
  tensor.name = lexer.token().text();
  if (!check_new_name(context, name)) return false;
  lexer.advance();
  if (!expect(context, lexer, TokenKind::comma, "`,`") ||
      !parse_element_type(context, lexer, tensor.type) ||
      !expect(context, lexer, TokenKind::comma, "`,`") ||
      !parse_shape(context, lexer, tensor, SizeForms::expressions) ||
      !expect(context, lexer, TokenKind::comma, "`,`") ||
      !parse_direction(context, lexer, tensor) || !sharing(context, lexer, tensor)) {
    return false;
  }
  if (!define_tensor(context, name)) return false;
  context.object.tensors.push_back(std::move(tensor));
  return true;
}

void remember(Context& context, SymbolId name, std::string_view register_name, const Value& value) {
  if (!context.options.line_table) return;
  const auto from = static_cast<std::uint32_t>(context.object.text.size());
  context.given.push_back({name, from, register_name, value});
}

// `.equ name, value`; with `redefinable`, `.set name, value`.
template <bool redefinable>
bool equ(Context& context, Lexer& lexer, const Span& /*name*/) {
  const Span name = lexer.span();
  if (!lexer.token().is(TokenKind::identifier)) return report_expected(context, lexer, "a name");
  if (!check_new_name(context, name)) return false;
  lexer.advance();
  if (!expect(context, lexer, TokenKind::comma, "`,`")) return false;
  const char* first = lexer.token().begin;
  Value value;
  if (!parse_expression(context, lexer, value)) return false;
  const SymbolId id = context.symbols.intern(text_of(name));
  SymbolEntry& entry = context.symbols[id];
  const bool again = redefinable && entry.kind == SymbolKind::constant && entry.redefinable;
  if (entry.kind != SymbolKind::unknown && !again) {
    if (!redefinable && entry.from_command_line) return true;
    return context.reporter.error(Code::already_defined, name, defined_where(entry), entry.name);
  }
  if (value.symbol == id || value.minus == id) {
    context.reporter.error(Code::circular, lexer.span_from(first), "", entry.name);
    value = Value{};  // so that its uses are not errors too
  }
  entry.kind = SymbolKind::constant;
  entry.redefinable = redefinable;
  entry.value = value;
  entry.defined = name;
  remember(context, id, {}, value);
  return true;
}

// `.reg name, s10`
bool reg(Context& context, Lexer& lexer, const Span& /*name*/) {
  const Span name = lexer.span();
  if (!lexer.token().is(TokenKind::identifier)) return report_expected(context, lexer, "a name");
  if (!check_new_name(context, name)) return false;
  lexer.advance();
  if (!expect(context, lexer, TokenKind::comma, "`,`")) return false;
  std::string_view text = lexer.token().text();
  const bool computed = at_computed_register(lexer);
  if (computed) {
    NamedRegister counted;
    if (!take_computed_register(context, lexer, counted)) return false;
    text =
        context.names.emplace_back(fmt::format("{}{}{}{}", counted.file, counted.index,
                                               counted.suffix.empty() ? "" : ".", counted.suffix));
  }
  const SymbolId other = context.symbols.find(text);
  if (other != no_symbol && context.symbols[other].kind == SymbolKind::register_alias) {
    text = context.symbols[other].name_of;
  }
  NamedRegister wanted;
  if ((!computed && !lexer.token().is(TokenKind::identifier)) || !read_register(text, wanted)) {
    return report_expected(context, lexer, "a register");
  }
  if (!wanted.in_range()) {
    return context.reporter.error(Code::no_such_register, lexer.span(), "", text);
  }
  const SymbolId id = context.symbols.intern(text_of(name));
  SymbolEntry& entry = context.symbols[id];
  if (entry.kind != SymbolKind::unknown && entry.kind != SymbolKind::register_alias) {
    return context.reporter.error(Code::already_defined, name, defined_where(entry), entry.name);
  }
  entry.kind = SymbolKind::register_alias;
  entry.name_of = text;
  entry.defined = name;
  remember(context, id, text, {});
  if (!computed) lexer.advance();
  return true;
}

}  // namespace

bool parse_element_type(Context& context, Lexer& lexer, ElementType& type) {
  const std::optional<ElementType> found = find_element(lexer.token().text());
  if (!found) return report_expected(context, lexer, "an element type", element_names());
  type = *found;
  lexer.advance();
  return true;
}

bool parse_direction(Context& context, Lexer& lexer, Tensor& tensor) {
  const std::string_view word = lexer.token().text();
  tensor.input = word == "in" || word == "inout";
  tensor.output = word == "out" || word == "inout";
  if (!tensor.input && !tensor.output) return report_expected(context, lexer, "in, out or inout");
  lexer.advance();
  return true;
}

std::span<const DirectiveRow> symbol_directives() {
  static constexpr DirectiveRow rows[] = {
      {".target", target}, {".tensor", tensor}, {".equ", equ<false>},
      {".set", equ<true>}, {".reg", reg},
  };
  return rows;
}

}  // namespace tandem::assembly
