// What the disassembler needs to say things that a program never does, and `.error`.
#include <array>

#include "assembler/bundle.hpp"
#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/files.hpp"
#include "assembler/macro.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

// `.lines off`: from here on only .loc says where bundles come from. `.lines on` goes back.
bool lines(Context& context, Lexer& lexer, const Span& /*name*/) {
  const std::string_view word = lexer.token().text();
  if (word != "on" && word != "off") return report_expected(context, lexer, "on or off");
  context.automatic_lines = word == "on";
  lexer.advance();
  return true;
}

bool line_number(Context& context, Lexer& lexer, std::uint32_t& line) {
  std::int64_t number = 0;
  if (!parse_integer(context, lexer, "line", 1, 0xffff'ffff, number)) return false;
  line = static_cast<std::uint32_t>(number);
  return true;
}

bool file_name(Context& context, Lexer& lexer, std::uint32_t& file) {
  std::string name;
  if (!parse_string(context, lexer, name)) return false;
  file = context.file_index(context.names.emplace_back(std::move(name)));
  return true;
}

// `.loc line [, "file" [, line, "file"]]`: where the next bundle comes from; the second pair is the
// macro call that it comes out of.
bool loc(Context& context, Lexer& lexer, const Span& /*name*/) {
  SourceLocation where;
  if (!line_number(context, lexer, where.line)) return false;
  if (lexer.accept(TokenKind::comma)) {
    if (!file_name(context, lexer, context.explicit_file)) return false;
  } else if (context.object.files.empty()) {
    context.explicit_file = context.file_index(lexer.buffer().name);
  }
  where.file = context.explicit_file;
  if (lexer.accept(TokenKind::comma)) {
    if (!line_number(context, lexer, where.call_line)) return false;
    if (!expect(context, lexer, TokenKind::comma, "`,` and the file of the call")) return false;
    if (!file_name(context, lexer, where.call_file)) return false;
  }
  context.explicit_line = where;
  return true;
}

bool not_in_linear(Context& context, const Span& name) {
  return context.reporter.error(Code::not_in_linear, name, "bundles stand outside", text_of(name));
}

// `.bundle w0, w1, ... w15`: a bundle as sixteen words.
bool raw_bundle(Context& context, Lexer& lexer, const Span& name) {
  if (context.section != Place::text) {
    return context.reporter.error(Code::wrong_section, name, "", text_of(name), ".text");
  }
  if (context.linear != nullptr) return not_in_linear(context, name);
  const std::uint32_t line = lexer.line();
  Bundle bundle{};
  for (std::size_t i = 0; i < bundle.size(); ++i) {
    if (i != 0 && !expect(context, lexer, TokenKind::comma, "`,` and the next of 16 words")) {
      return false;
    }
    std::int64_t word = 0;
    if (!parse_integer(context, lexer, "word", 0, 0xffff'ffff, word)) return false;
    bundle[i] = static_cast<std::uint32_t>(word);
  }
  if (!charge_within(context, name, ExpansionCost::bundle)) return false;
  if (append_bundle(context, bundle, lexer.buffer(), line)) return true;
  return context.reporter.error(Code::too_large, name, "", "text", max_bundles, "bundles");
}

// `.reloc slot, expression`: the constant of the operation that the next bundle has in this slot.
bool reloc(Context& context, Lexer& lexer, const Span& name) {
  if (context.linear != nullptr) return not_in_linear(context, name);
  const SlotLayout* slot = nullptr;
  for (const SlotLayout& layout : slot_layouts) {
    if (layout.name == lexer.token().text()) slot = &layout;
  }
  if (slot == nullptr) return report_expected(context, lexer, "a slot");
  lexer.advance();
  if (!expect(context, lexer, TokenKind::comma, "`,`")) return false;
  const char* first = lexer.token().begin;
  Value value;
  if (!parse_expression(context, lexer, value)) return false;
  const std::uint64_t offset = context.object.text.size() * bundle_bytes + slot->lsb / 8U;
  context.fixups.push_back({offset, value, RelocationKind::operand, true, lexer.span_from(first)});
  return true;
}

// `.error "message"`: for a macro that checks its arguments.
bool user_error(Context& context, Lexer& lexer, const Span& name) {
  std::string message;
  if (!parse_string(context, lexer, message)) return false;
  return context.reporter.error(Code::user_error, name, "", message);
}

}  // namespace

const DirectiveRow* find_debug_directive(std::string_view name) {
  static constexpr DirectiveRow rows[] = {
      {".loc", loc},     {".lines", lines},      {".bundle", raw_bundle},
      {".reloc", reloc}, {".error", user_error},
  };
  return find_row(rows, name);
}

}  // namespace tandem::assembly
