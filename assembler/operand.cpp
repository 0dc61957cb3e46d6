#include "assembler/operand.hpp"

#include "assembler/expressions/expression.hpp"
#include "assembler/linear/linear.hpp"
#include "assembler/text/register_name.hpp"
#include "assembler/words.hpp"
#include "host/nearest_name.hpp"
#include "isa/object/operand_constant.hpp"
#include "isa/registers/registers.hpp"

namespace tandem::assembly {
namespace {

// The register that a name stands for, through .reg; an alias may carry a suffix: `x.lo`.
bool resolve_register(const Context& context, std::string_view text, NamedRegister& result) {
  if (read_register(text, result)) return true;
  std::string_view suffix;
  SymbolId id = context.symbols.find(text);
  if (id == no_symbol || context.symbols[id].kind != SymbolKind::register_alias) {
    const std::size_t dot = text.rfind('.');
    if (dot == std::string_view::npos) return false;
    suffix = text.substr(dot + 1);
    id = context.symbols.find(text.substr(0, dot));
  }
  if (id == no_symbol || context.symbols[id].kind != SymbolKind::register_alias) return false;
  if (!read_register(context.symbols[id].name_of, result)) return false;
  if (!suffix.empty()) result.suffix = suffix;
  return true;
}

struct OperandParser {
  Context& context;
  Lexer& lexer;
  const Operand& operand;
  OperandValue& value;
  PendingConstant* pending;  // nullptr where symbols are not allowed
  schedule::VirtualId* virtual_id;

  // The token found instead may show what was meant.
  bool wrong_form() const {
    const TokenKind kind = lexer.token().kind;
    const bool number =
        kind == TokenKind::integer || kind == TokenKind::real || kind == TokenKind::minus;
    const bool stored =
        operand.name == operand::sst_value.name && operand.kind == OperandKind::sreg;
    const char* hint =
        stored ? "`ssti` stores a constant" : "put the constant into a register first";
    return report_expected(context, lexer, operand_form(operand), number ? hint : "");
  }

  // Takes a register from one of these files.
  bool take(std::string_view files, NamedRegister& name) const {
    if (lexer.token().is(TokenKind::percent)) return take_virtual(files, name);
    if (at_computed_register(lexer)) {
      if (files.find(lexer.token().text()[0]) == std::string_view::npos) return wrong_form();
      return take_computed_register(context, lexer, name);
    }
    const Token& token = lexer.token();
    if (!token.is(TokenKind::identifier) || !resolve_register(context, token.text(), name) ||
        files.find(name.file) == std::string_view::npos) {
      return wrong_form();
    }
    if (!name.in_range()) {
      return context.reporter.error(
          Code::no_such_register, lexer.span(),
          fmt::format("{0}0 to {0}{1}", name.file, register_count(name.file) - 1), token.text());
    }
    lexer.advance();
    return true;
  }

  // `%name`, perhaps with a suffix if the operand allows one.
  bool take_virtual(std::string_view files, NamedRegister& name) const {
    Lexer ahead = lexer;
    const Token token = ahead.take_virtual();
    const Span where = lexer.span(token);
    if (context.linear == nullptr) {
      return context.reporter.error(Code::virtual_outside, where, "", token.text().substr(1));
    }
    if (token.text().size() == 1 || files == "f") return wrong_form();
    std::string_view text = token.text().substr(1);
    name.suffix = {};
    if (has_suffixes()) split_suffix(text, name.suffix);
    const schedule::VirtualId id = virtual_named(*context.linear, text, where);
    name.is_virtual = true;
    name.index = schedule::virtual_placeholder;
    name.file = files.front();
    *virtual_id = id;
    lexer = ahead;
    if (files.size() > 1 && name.suffix.empty()) return true;  // its writer determines it
    return require_file(context, id, file_of(files.front()), where);
  }

  [[nodiscard]] bool has_suffixes() const {
    return operand.kind == OperandKind::part || operand.kind == OperandKind::vsource;
  }
  // A name may contain dots itself: if the whole name is known, it has no suffix.
  void split_suffix(std::string_view& text, std::string_view& suffix) const {
    const std::size_t dot = text.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return;
    if (operand.kind == OperandKind::vsource) {
      const std::string_view tail = text.substr(dot + 1);
      if (context.linear->knows(text) || (tail != "lo" && tail != "hi")) return;
    }
    suffix = text.substr(dot + 1);
    text = text.substr(0, dot);
  }
  static File file_of(char letter) {
    std::size_t file = 0;
    while (file_letter(static_cast<File>(file)) != letter) ++file;
    return static_cast<File>(file);
  }

  bool plain_register(char file) const {
    NamedRegister name;
    const Token token = lexer.token();
    if (!take({&file, 1}, name)) return false;
    value.value = static_cast<std::int32_t>(name.index);
    return name.suffix.empty() || bad_suffix(token);
  }

  bool bad_suffix(const Token& token) const {
    return context.reporter.error(Code::bad_suffix, lexer.span(token),
                                  fmt::format("expected {}", operand_form(operand)), token.text());
  }

  bool negatable_register(char file) const {
    const Token bang = lexer.token();
    if (lexer.accept(TokenKind::exclamation)) {
      if (operand.extra.width == 0) {
        return context.reporter.error(Code::cannot_negate, lexer.span(bang), "");
      }
      value.extra = 1;
    }
    return plain_register(file);
  }

  bool vector_source() const {
    if (register_or_constant(operand) && !at_register()) return number();
    NamedRegister name;
    const Token token = lexer.token();
    if (!take("vs", name)) return false;
    value.value = static_cast<std::int32_t>(name.index);
    const bool scalar = name.file == 's' && !name.is_virtual;
    SourceForm form = scalar ? SourceForm::scalar : SourceForm::vector;
    if (name.file == 'v' && name.suffix == "lo")
      form = SourceForm::lo;
    else if (name.file == 'v' && name.suffix == "hi")
      form = SourceForm::hi;
    else if (!name.suffix.empty())
      return bad_suffix(token);
    value.extra = static_cast<std::uint32_t>(form);
    return true;
  }

  bool part() const {
    constexpr std::string_view suffixes[] = {"f32", "lo", "hi", "", "b0", "b1", "b2", "b3"};
    NamedRegister name;
    const Token token = lexer.token();
    if (!take("v", name)) return false;
    value.value = static_cast<std::int32_t>(name.index);
    for (std::uint32_t code = 0; code < std::size(suffixes); ++code) {
      const bool allowed = ((operand.allowed >> code) & 1U) != 0;
      if (!allowed || name.suffix.empty() || suffixes[code] != name.suffix) continue;
      value.extra = code;
      return true;
    }
    return bad_suffix(token);
  }

  // Stores a number, or leaves it to the resolver.
  bool store(const Value& number, const Span& where) const {
    if (!number.is_constant()) {
      if (pending == nullptr || !is_relocatable(operand)) {
        return context.reporter.error(Code::not_constant, where,
                                      "its symbols must be numbers defined above");
      }
      *pending = {true, number, where};
      select_constant(operand, value);
      return true;
    }
    std::int64_t integer = number.integer;
    if (number.is_real) {
      const ConstantRange range = constant_range(operand);
      if (range.high < 0xffff'ffffLL || operand.access != Access::read) {
        return context.reporter.error(Code::not_integer, where, "", operand.name);
      }
      integer = fp32_bits(number.real);
    }
    return store_integer(integer, where);
  }

  bool store_integer(std::int64_t integer, const Span& where) const {
    switch (store_constant(operand, integer, value)) {
      case StoreResult::stored: return true;
      case StoreResult::out_of_range: {
        const ConstantRange range = constant_range(operand);
        return context.reporter.error(Code::out_of_range, where, range_hint(), operand.name,
                                      integer, range.low, range.high);
      }
      case StoreResult::not_multiple:
        return context.reporter.error(Code::not_multiple, where,
                                      "a descriptor is 16 words, reserved after `.align 16`",
                                      operand.name, integer, descriptor_words);
    }
    return false;
  }

  [[nodiscard]] std::string range_hint() const {
    if (constant_range(operand).high > 0xffff) return {};  // as wide as a register
    const bool has_register =
        operand.kind == OperandKind::vmem || operand.kind == OperandKind::vmem_word ||
        operand.kind == OperandKind::descriptor || register_or_constant(operand);
    return has_register ? "put the larger part into the scalar register" : "";
  }

  bool number() const {
    const char* first = lexer.token().begin;
    Value number;
    if (!parse_expression(context, lexer, number)) return false;
    return store(number, lexer.span_from(first));
  }

  [[nodiscard]] bool at_register() const {
    NamedRegister name;
    if (lexer.token().is(TokenKind::percent) || at_computed_register(lexer)) return true;
    return lexer.token().is(TokenKind::identifier) && lexer.peek() != '(' &&  // f32(1.5)
           resolve_register(context, lexer.token().text(), name);
  }

  bool scalar_or_constant() const { return at_register() ? plain_register('s') : number(); }

  // [s3 + 8], [s3 - 8], [s3], [8]; the opening bracket is taken.
  bool address() const {
    if (!at_register()) {
      if (!number()) return false;
    } else {
      if (!plain_register('s')) return false;
      if (lexer.token().is(TokenKind::plus) || lexer.token().is(TokenKind::minus)) {
        if (!offset()) return false;
      }
    }
    return expect(context, lexer, TokenKind::close_bracket, "`]`");
  }

  // `+ expression` or `- expression`: the sign applies to the first term only.
  bool offset() const {
    const char* first = lexer.token().begin;
    if (lexer.token().is(TokenKind::plus)) {
      lexer.advance();
      first = lexer.token().begin;
    }
    Value number;
    if (!parse_expression(context, lexer, number)) return false;
    return store(number, lexer.span_from(first));
  }

  bool bracketed_address() const {
    if (!lexer.accept(TokenKind::open_bracket)) return wrong_form();
    return address();
  }

  bool accumulator() const {
    const Token token = lexer.token();
    if (token.is(TokenKind::identifier) && token.text() == "a") {
      lexer.advance();
      return expect(context, lexer, TokenKind::open_bracket, "`[` of a[s3 + 5]") && address();
    }
    NamedRegister name;
    if (!take("a", name)) return false;
    if (!name.suffix.empty()) return bad_suffix(token);
    if (!name.is_virtual) value.imm = static_cast<std::int32_t>(name.index);
    return true;
  }

  // f5, f[s3], f[s3 + 5]
  bool flag() const {
    const Token token = lexer.token();
    if (!token.is(TokenKind::identifier) || token.text() != "f") return plain_register('f');
    lexer.advance();
    if (!expect(context, lexer, TokenKind::open_bracket, "`[` of f[s3 + 5]")) return false;
    if (at_register()) {
      if (!plain_register('s')) return false;
      value.extra = static_cast<std::uint32_t>(value.value);
      value.value = 0;
      if (lexer.accept(TokenKind::plus) && !flag_number()) return false;
    } else if (!flag_number()) {
      return false;
    }
    return expect(context, lexer, TokenKind::close_bracket, "`]`");
  }

  bool flag_number() const {
    std::int64_t number = 0;
    if (!parse_integer(context, lexer, operand.name, 0, sync_flags - 1, number)) return false;
    value.value = static_cast<std::int32_t>(number);
    return true;
  }

  bool weight_row() const { return lexer.accept(TokenKind::open_bracket) ? address() : number(); }

  bool csr() const {
    const Token token = lexer.token();
    if (token.is(TokenKind::integer)) {
      const Register* row = token.integer < 0x10000U
                                ? find_register(static_cast<std::uint32_t>(token.integer))
                                : nullptr;
      return csr_row(row, token);
    }
    if (!token.is(TokenKind::identifier)) return wrong_form();
    return csr_row(find_register(token.text()), token);
  }

  bool csr_row(const Register* row, const Token& token) const {
    if (row == nullptr || !row->program_readable) {
      NearestName nearest(token.text());
      for (const Register& candidate : registers()) {
        if (candidate.program_readable) nearest.consider(candidate.name);
      }
      const bool host_only = row != nullptr;
      return context.reporter.error(Code::unknown_csr, lexer.span(token),
                                    host_only ? "only the host reads it" : nearest.hint(),
                                    token.text());
    }
    value.value = static_cast<std::int32_t>(row->number);
    lexer.advance();
    return true;
  }

  bool parse() const {
    switch (operand.kind) {
      case OperandKind::sreg: return plain_register('s');
      case OperandKind::preg: return negatable_register('p');
      case OperandKind::vreg: return plain_register('v');
      case OperandKind::mreg:
      case OperandKind::mask: return negatable_register('m');
      case OperandKind::vsource: return vector_source();
      case OperandKind::scalar_imm: return scalar_or_constant();
      case OperandKind::csr: return csr();
      case OperandKind::flag: return flag();
      case OperandKind::smem:
      case OperandKind::vmem:
      case OperandKind::vmem_word:
      case OperandKind::descriptor: return bracketed_address();
      case OperandKind::accumulator: return accumulator();
      case OperandKind::weight_row: return weight_row();
      case OperandKind::part: return part();
      case OperandKind::target:
      case OperandKind::constant:
      case OperandKind::stride:
      case OperandKind::rows: return number();
      case OperandKind::option: value.value = 1; return true;
    }
    return false;
  }
};

// `.lo` right after a closing bracket.
bool at_suffix(const Lexer& lexer) {
  const Token& token = lexer.token();
  return token.is(TokenKind::identifier) && token.text()[0] == '.' && token.begin[-1] == ']';
}

}  // namespace

bool at_computed_register(const Lexer& lexer) {
  constexpr std::string_view files = "spvm";  // a[..] and f[..] are addresses
  const Token& token = lexer.token();
  return token.is(TokenKind::identifier) && token.text().size() == 1 &&
         files.find(token.text()[0]) != std::string_view::npos && lexer.peek() == '[';
}

bool take_computed_register(Context& context, Lexer& lexer, NamedRegister& name) {
  const char file = lexer.token().text()[0];
  lexer.advance();
  lexer.advance();
  std::int64_t index = 0;
  if (!parse_integer(context, lexer, fmt::format("register {}", file), 0, register_count(file) - 1,
                     index) ||
      !expect(context, lexer, TokenKind::close_bracket, "`]`")) {
    return false;
  }
  name = {file, static_cast<std::uint32_t>(index), {}};
  if (!at_suffix(lexer)) return true;
  name.suffix = lexer.token().text().substr(1);
  lexer.advance();
  return true;
}

void skip_computed_register(Lexer& lexer) {
  unsigned depth = 0;
  do {
    if (lexer.token().is(TokenKind::newline) || lexer.token().is(TokenKind::end)) return;
    if (lexer.token().is(TokenKind::open_bracket)) ++depth;
    if (lexer.token().is(TokenKind::close_bracket)) --depth;
    lexer.advance();
  } while (depth != 0);
  if (at_suffix(lexer)) lexer.advance();
}

bool parse_operand(Context& context, Lexer& lexer, const Operand& operand, OperandValue& value,
                   PendingConstant& pending, schedule::VirtualId& virtual_id) {
  return OperandParser{context, lexer, operand, value, &pending, &virtual_id}.parse();
}

bool parse_attribute(Context& context, Lexer& lexer, const Operand& operand, OperandValue& value,
                     schedule::VirtualId& virtual_id) {
  return OperandParser{context, lexer, operand, value, nullptr, &virtual_id}.parse();
}

std::string_view operand_form(const Operand& operand) {
  switch (operand.kind) {
    case OperandKind::sreg: return "a scalar register s0..s31";
    case OperandKind::preg: return "a predicate p0..p7";
    case OperandKind::vreg: return "a vector register v0..v63";
    case OperandKind::mreg:
    case OperandKind::mask: return "a mask m0..m7";
    case OperandKind::vsource:
      if (register_or_constant(operand)) {
        return "a vector v3, a half v3.lo or v3.hi, a scalar register s3 or a constant";
      }
      return "a vector v3, a half v3.lo or v3.hi, or a scalar register s3";
    case OperandKind::scalar_imm: return "a scalar register or a constant";
    case OperandKind::target: return "a label";
    case OperandKind::constant:
    case OperandKind::stride:
    case OperandKind::rows: return "a constant";
    case OperandKind::csr: return "the name of a control or status register";
    case OperandKind::flag: return "a flag f5 or f[s3 + 5]";
    case OperandKind::smem: return "an SMEM address [s3 + words]";
    case OperandKind::vmem: return "a VMEM address [s3 + rows]";
    case OperandKind::vmem_word: return "a VMEM address [s3 + words]";
    case OperandKind::descriptor: return "a descriptor address [s3 + words]";
    case OperandKind::accumulator: return "an accumulator a5 or a[s3 + 5]";
    case OperandKind::weight_row: return "a weight row 8 or [s3 + 8]";
    case OperandKind::part:
      if (operand.allowed == bf16_parts) return "a part v3.f32, v3.lo or v3.hi";
      if (operand.allowed == s8_parts) return "a part v3.b0 to v3.b3";
      return "a part v3.f32, v3.lo, v3.hi or v3.b0 to v3.b3";
    case OperandKind::option: return "an option";
  }
  return "an operand";
}

}  // namespace tandem::assembly
