#include "assembler/statement.hpp"

#include "assembler/directives/directives.hpp"
#include "assembler/expressions/functions.hpp"
#include "assembler/linear/blocks.hpp"
#include "assembler/linear/linear.hpp"
#include "assembler/macro.hpp"
#include "assembler/text/register_name.hpp"
#include "assembler/words.hpp"
#include "isa/text/text.hpp"

namespace tandem::assembly {
namespace {

bool is_slot(std::string_view text) {
  for (const SlotLayout& layout : slot_layouts) {
    if (layout.name == text) return true;
  }
  return false;
}

bool is_register_name(const Context& context, std::string_view name) {
  const SymbolId id = context.symbols.find(name);
  return id != no_symbol && context.symbols[id].kind == SymbolKind::register_alias;
}

// The macro that the current token calls, if it does. After a comma it is a call whose first
// argument is empty, unless the name is also that of a register, the first one written.
const Macro* macro_at(const Context& context, const Lexer& lexer) {
  if (context.macros.empty() || !lexer.token().is(TokenKind::identifier)) return nullptr;
  const auto found = context.macros.find(lexer.token().text());
  if (found == context.macros.end()) return nullptr;
  const char next = lexer.peek();
  if (next == '=' || next == ':') return nullptr;
  if (next == ',' && is_register_name(context, found->first)) return nullptr;
  return &found->second;
}

// After an error inside braces: skips to the next operation or the end of the bundle.
void recover_in_bundle(Lexer& lexer) {
  for (;;) {
    switch (lexer.token().kind) {
      case TokenKind::semicolon:
      case TokenKind::close_brace:
      case TokenKind::open_brace:
      case TokenKind::end: return;
      default: lexer.advance();
    }
  }
}

void operation_in_bundle(Context& context, Lexer& lexer, BundleBuilder& bundle) {
  if (const Macro* macro = macro_at(context, lexer)) {
    const Buffer* expansion = expand_macro(context, lexer, *macro);
    if (expansion != nullptr) parse_operations(context, *expansion, bundle);
    return;
  }
  PlacedOperation operation;
  if (parse_operation(context, lexer, operation)) {
    bundle.add(operation);
  } else {
    recover_in_bundle(lexer);
  }
}

// A line that cannot continue a bundle: a label, a directive, or an operation without `;` before
// it.
bool ends_open_bundle(const Lexer& lexer, bool after_operation) {
  if (!lexer.begins_line()) return false;
  if (after_operation) return true;
  const std::string_view word = lexer.token().text();
  return word[0] == '.' || (lexer.peek() == ':' && !is_slot(word));
}

// Takes a brace inside a bundle, unless it begins the next bundle after a forgotten `}`.
bool nested_brace(Context& context, Lexer& lexer, unsigned& depth) {
  const Token token = lexer.token();
  if (token.is(TokenKind::open_brace) && !lexer.first_on_line()) {
    context.reporter.error(Code::nested_bundle, lexer.span(),
                           "one pair of braces holds a bundle; `;` separates its operations");
    ++depth;
  } else if (token.is(TokenKind::close_brace) && depth > 0) {
    --depth;
  } else {
    return false;
  }
  lexer.advance();
  return true;
}

// The text between the braces, up to `}` or to the point where it must have been forgotten.
void bundle_body(Context& context, Lexer& lexer, BundleBuilder& bundle, const Span& open) {
  unsigned depth = 0;
  for (bool after_operation = false; !context.reporter.full();) {
    if (nested_brace(context, lexer, depth)) continue;
    if (ends_open_bundle(lexer, after_operation)) {
      context.reporter.error(Code::open_bundle, open, "a bundle ends with `}`");
      lexer.set_in_braces(false);
      return;
    }
    switch (lexer.token().kind) {
      case TokenKind::close_brace:
        lexer.set_in_braces(false);
        lexer.advance();
        return;
      case TokenKind::semicolon:
        lexer.advance();
        after_operation = false;
        break;
      case TokenKind::open_brace:
      case TokenKind::end:
        context.reporter.error(Code::open_bundle, open, "a bundle ends with `}`");
        lexer.set_in_braces(false);
        return;
      default: operation_in_bundle(context, lexer, bundle); after_operation = true;
    }
  }
}

class StatementParser {
 public:
  StatementParser(Context& context, const Buffer& buffer)
      : context_(context), lexer_(buffer), blocks_(context) {}

  void parse() {
    while (!lexer_.token().is(TokenKind::end) && !context_.reporter.full()) {
      if (lexer_.accept(TokenKind::newline)) continue;
      if (!statement()) lexer_.skip_line();
    }
    blocks_.finish();
  }

 private:
  bool statement() {
    const Token token = lexer_.token();
    if (token.is(TokenKind::open_brace)) return bundle();
    if (token.is(TokenKind::identifier)) {
      if (lexer_.peek() == ':' && !is_slot(token.text())) return label();
      if (token.text()[0] == '.') return directive() && end_of_line();
      if (const Macro* macro = macro_at(context_, lexer_)) return call(*macro);
    }
    return lone_operation() && end_of_line();
  }

  bool label() {
    const Span name = lexer_.span();
    lexer_.advance();
    lexer_.advance();
    define_label(context_, name);
    return true;
  }

  bool directive() {
    if (Blocks::is_block(lexer_.token().text())) return blocks_.parse(lexer_);
    return parse_directive(context_, lexer_);
  }

  bool call(const Macro& macro) {
    const Buffer* expansion = expand_macro(context_, lexer_, macro);
    if (expansion != nullptr) parse_text(context_, *expansion);
    return end_of_line();
  }

  bool bundle() {
    const Span open = lexer_.span();
    const std::uint32_t line = lexer_.line();
    if (context_.linear != nullptr) return no_bundle(open);
    if (!in_text(open)) return false;
    BundleBuilder bundle;
    lexer_.set_in_braces(true);
    lexer_.advance();
    bundle_body(context_, lexer_, bundle, open);
    bundle.finish(context_, open, line);
    // After a forgotten brace the next statement may begin right here.
    return lexer_.token().is(TokenKind::open_brace) || lexer_.begins_line() || end_of_line();
  }

  bool lone_operation() {
    const std::uint32_t line = lexer_.line();
    PlacedOperation operation;
    if (!parse_operation(context_, lexer_, operation)) {
      if (context_.linear != nullptr) context_.linear->broken = true;
      return false;
    }
    if (!in_text(operation.where)) return false;
    if (context_.linear != nullptr) {
      add_linear_operation(context_, operation, lexer_.buffer(), line);
      return true;
    }
    BundleBuilder bundle;
    bundle.add(operation);
    bundle.finish(context_, operation.where, line);
    return true;
  }

  bool no_bundle(const Span& open) {
    context_.linear->broken = true;
    return context_.reporter.error(Code::not_in_linear, open,
                                   "one operation a line; bundles go outside", "{");
  }

  bool in_text(const Span& where) {
    if (context_.section == Place::text) return true;
    return context_.reporter.error(Code::wrong_section, where, "write `.text` first", "a bundle",
                                   ".text");
  }

  bool end_of_line() {
    if (lexer_.token().is(TokenKind::newline) || lexer_.token().is(TokenKind::end)) return true;
    return report_expected(context_, lexer_, "the end of the line",
                           lexer_.token().is(TokenKind::semicolon)
                               ? "`;` separates operations inside `{ }`; comments begin with #"
                               : "");
  }

  Context& context_;
  Lexer lexer_;
  Blocks blocks_;
};

std::uint64_t current_offset(const Context& context) {
  switch (context.section) {
    case Place::text: return context.object.text.size();
    case Place::data: return context.object.data.size();
    case Place::bss: return context.object.bss_bytes;
    case Place::vmem: return context.object.vmem_rows;
    case Place::smem: return context.object.smem_words;
    case Place::undefined:
    case Place::absolute:
    case Place::tensor: break;
  }
  return 0;
}

}  // namespace

std::string_view text_of(const Span& span) {
  return {span.begin, static_cast<std::size_t>(span.end - span.begin)};
}

void parse_text(Context& context, const Buffer& buffer) {
  StatementParser(context, buffer).parse();
}

void parse_operations(Context& context, const Buffer& buffer, BundleBuilder& bundle) {
  Lexer lexer(buffer, true);
  while (!lexer.token().is(TokenKind::end) && !context.reporter.full()) {
    if (lexer.accept(TokenKind::semicolon)) continue;
    if (lexer.token().is(TokenKind::open_brace) || lexer.token().is(TokenKind::close_brace)) {
      report_expected(context, lexer, "an operation",
                      "this macro is used inside a bundle, so it cannot hold bundles");
      return;
    }
    operation_in_bundle(context, lexer, bundle);
  }
}

bool check_new_name(Context& context, const Span& name) {
  NamedRegister unused;
  const std::string_view text = text_of(name);
  const bool reserved = read_register(text, unused) || is_slot(text) || is_builtin_constant(text);
  if (!reserved) return true;
  return context.reporter.error(Code::reserved_name, name, "", text);
}

bool define_label(Context& context, const Span& name) {
  if (!check_new_name(context, name)) return false;
  if (context.linear != nullptr && context.section == Place::text) {
    return add_linear_label(context, name);
  }
  SymbolEntry& entry = context.symbols[context.symbols.intern(text_of(name))];
  if (entry.kind != SymbolKind::unknown) {
    return context.reporter.error(Code::already_defined, name, defined_where(entry), entry.name);
  }
  if (context.watch && context.section == Place::text) context.watch->place();
  entry.kind = SymbolKind::label;
  entry.place = context.section;
  entry.offset = current_offset(context);
  entry.defined = name;
  return true;
}

}  // namespace tandem::assembly
