#include <bit>
#include <cmath>

#include "assembler/bundle.hpp"
#include "assembler/text/register_name.hpp"
#include "assembler/words.hpp"
#include "host/nearest_name.hpp"

namespace tandem::assembly {
namespace {

// Open addressing over the table of instructions, filled once.
class MnemonicTable {
 public:
  MnemonicTable() {
    for (const Instruction& row : instructions) {
      std::size_t bucket = hash(row.mnemonic);
      while (buckets_[bucket] != nullptr) bucket = (bucket + 1) % buckets_.size();
      buckets_[bucket] = &row;
    }
  }

  [[nodiscard]] const Instruction* find(std::string_view mnemonic) const {
    std::size_t bucket = hash(mnemonic);
    while (buckets_[bucket] != nullptr) {
      if (buckets_[bucket]->mnemonic == mnemonic) return buckets_[bucket];
      bucket = (bucket + 1) % buckets_.size();
    }
    return nullptr;
  }

 private:
  static std::size_t hash(std::string_view text) {
    std::uint32_t value = 2166136261U;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 16777619U;
    return (value ^ (value >> 15U)) % 1024;
  }

  std::array<const Instruction*, 1024> buckets_{};
};

bool is_slot_name(std::string_view text, Slot& slot) {
  for (std::size_t i = 0; i < slot_count; ++i) {
    if (slot_layouts[i].name != text) continue;
    slot = static_cast<Slot>(i);
    return true;
  }
  return false;
}

struct Habit {
  std::string_view word;
  std::string_view hint;
};

constexpr Habit habits[] = {
#define HABIT(word, hint) {word, hint},
#include "assembler/habits.def"
#undef HABIT
};

// "there are `lt.s32`, `lt.u32`" for a mnemonic whose type was forgotten.
std::string family_of(std::string_view word) {
  std::string names;
  for (const Instruction& row : instructions) {
    const bool member = row.mnemonic.size() > word.size() && row.mnemonic[word.size()] == '.' &&
                        row.mnemonic.substr(0, word.size()) == word;
    if (member) names += fmt::format("{}`{}`", names.empty() ? "there are " : ", ", row.mnemonic);
  }
  return names;
}

// How the contents of a register of this file are copied.
std::string_view copying(char file) {
  switch (file) {
    case 's': return "`mov` copies it";
    case 'v': return "`vmov` copies it";
    case 'p': return "`por` with itself copies it";
    case 'm': return "`mor` with itself copies it";
    default: return "there is no copy of it";
  }
}

std::string name_hint(const Context& context, std::string_view word) {
  NamedRegister name;
  if (read_register(word, name)) {
    return fmt::format("an operation is expected here; `{}` is a register: {}", word,
                       copying(name.file));
  }
  const SymbolId id = context.symbols.find(word);
  if (id == no_symbol) return {};
  const SymbolEntry& entry = context.symbols[id];
  if (entry.kind == SymbolKind::register_alias && read_register(entry.name_of, name)) {
    return fmt::format("an operation is expected here; `{}` is register {}: {}", word,
                       entry.name_of, copying(name.file));
  }
  const bool number = entry.kind == SymbolKind::constant || entry.kind == SymbolKind::label ||
                      entry.kind == SymbolKind::imported;
  return number ? "an operation is expected here; `mov` loads a constant" : "";
}

std::string mnemonic_hint(const Context& context, std::string_view word) {
  if (std::string hint = name_hint(context, word); !hint.empty()) return hint;
  for (const Habit& habit : habits) {
    if (habit.word == word) return std::string(habit.hint);
  }
  if (std::string family = family_of(word); !family.empty()) return family;
  NearestName nearest(word);
  for (const Instruction& row : instructions) nearest.consider(row.mnemonic);
  for (const auto& [name, macro] : context.macros) nearest.consider(name);
  return nearest.hint();
}

class OperationParser {
 public:
  OperationParser(Context& context, Lexer& lexer, PlacedOperation& result)
      : context_(context), lexer_(lexer), result_(result) {}

  bool parse() {
    const char* first = lexer_.token().begin;
    if (!prefix()) return false;
    if (!left_side()) return false;
    if (!find_row()) return false;
    result_.where = lexer_.span(mnemonic_);
    if (!destinations() || !operands() || !attributes()) return false;
    result_.where = lexer_.span_from(first);
    result_.row = row_;
    result_.operation = operation_;
    if (context_.linear != nullptr) return true;
    result_.bits = encode(operation_);
    result_.destination = destination(operation_);
    return true;
  }

 private:
  static constexpr std::size_t max_names = max_operands;

  // `sa:` and `@!p1`, in this order.
  bool prefix() {
    if (!at_name() && !lexer_.token().is(TokenKind::at)) {
      const bool address = lexer_.token().is(TokenKind::open_bracket);
      return expected("an operation",
                      address ? "a store is one: `vst [s3], v1`, `sst [s3], s1`" : "");
    }
    Slot slot{};
    first_ = lexer_.token();
    if (at_name()) {
      first_ = take_name();
      if (!lexer_.token().is(TokenKind::colon)) return true;  // no prefix at all
      if (!is_slot_name(first_.text(), slot)) {
        return context_.reporter.error(Code::unknown_slot, lexer_.span(first_),
                                       "labels come before the bundle; slots are sa sb va vb ld "
                                       "st mx xu dma",
                                       first_.text());
      }
      result_.slot = slot;
      lexer_.advance();
      first_ = lexer_.token();
    }
    return predicate();
  }

  // A word, or a virtual register.
  [[nodiscard]] bool at_name() const {
    return lexer_.token().is(TokenKind::identifier) || lexer_.token().is(TokenKind::percent);
  }
  Token take_name() {
    if (lexer_.token().is(TokenKind::percent)) return lexer_.take_virtual();
    const Token name = lexer_.token();
    const bool computed = at_computed_register(lexer_);
    lexer_.advance();
    if (computed) skip_computed_register(lexer_);
    return name;
  }

  bool predicate() {
    if (lexer_.accept(TokenKind::at)) {
      operation_.negate = lexer_.accept(TokenKind::exclamation);
      OperandValue value;
      PendingConstant unused;
      schedule::VirtualId& id = result_.virtuals[predicate_place];
      if (!parse_operand(context_, lexer_, predicate_operand, value, unused, id)) return false;
      operation_.predicate = static_cast<std::uint8_t>(value.value);
    }
    if (!at_name()) return expected("a mnemonic");
    first_ = take_name();
    return true;
  }

  // Takes names up to `=`; the first is then the mnemonic or the first destination.
  bool left_side() {
    const bool has_left =
        lexer_.token().is(TokenKind::equals) || lexer_.token().is(TokenKind::comma);
    mnemonic_ = first_;
    if (!has_left) return true;
    names_[name_count_++] = first_;
    while (lexer_.accept(TokenKind::comma)) {
      if (!at_name()) return expected("a register");
      if (name_count_ == max_names) return expected("`=`");
      names_[name_count_++] = take_name();
    }
    if (!lexer_.accept(TokenKind::equals)) return expected("`=`");
    mnemonic_ = lexer_.token();
    if (!mnemonic_.is(TokenKind::identifier)) {
      return expected("a mnemonic", "a constant is loaded with `mov`");
    }
    lexer_.advance();
    return true;
  }

  bool find_row() {
    row_ = lookup_mnemonic(mnemonic_.text());
    if (row_ == nullptr && equals_forgotten()) return expected("`=`", forgotten_form());
    if (row_ == nullptr) {
      return context_.reporter.error(Code::unknown_mnemonic, lexer_.span(mnemonic_),
                                     mnemonic_hint(context_, mnemonic_.text()), mnemonic_.text());
    }
    operation_.op = row_->op;
    return true;
  }

  // `s1 mov 5`: a register followed by a word that is a mnemonic.
  [[nodiscard]] bool equals_forgotten() const {
    if (name_count_ != 0 || !lexer_.token().is(TokenKind::identifier)) return false;
    NamedRegister name;
    const SymbolId id = context_.symbols.find(mnemonic_.text());
    const bool is_register =
        mnemonic_.text()[0] == '%' || read_register(mnemonic_.text(), name) ||
        (id != no_symbol && context_.symbols[id].kind == SymbolKind::register_alias);
    return is_register && lookup_mnemonic(lexer_.token().text()) != nullptr;
  }
  [[nodiscard]] std::string forgotten_form() const {
    return "the form is `" + form_of(*lookup_mnemonic(lexer_.token().text())) + "`";
  }

  // Reads the names left of `=` again, now that it is known which operands they must be.
  bool destinations() {
    std::size_t next = 0;
    for (std::size_t i = 0; i < row_->operands.count; ++i) {
      const Operand& operand = *row_->operands.items[i];
      if (!is_destination(operand)) continue;
      if (next == name_count_) return wrong_count();
      if (!read_destination(i, names_[next++])) return false;
    }
    return next == name_count_ || wrong_count();
  }

  bool read_destination(std::size_t place, const Token& token) {
    const Operand& operand = *row_->operands.items[place];
    OperandValue& value = operation_.operands[place];
    Lexer again = lexer_;
    again.rewind_to(token);
    PendingConstant unused;
    return parse_operand(context_, again, operand, value, unused, result_.virtuals[place]);
  }

  bool wrong_count() {
    return context_.reporter.error(Code::wrong_destinations, lexer_.span(mnemonic_),
                                   "the form is `" + form() + "`", mnemonic_.text());
  }

  bool operands() {
    bool first = true;
    for (std::size_t i = 0; i < row_->operands.count; ++i) {
      const Operand& operand = *row_->operands.items[i];
      if (is_destination(operand) || is_attribute(operand.kind)) continue;
      if (!first && !lexer_.accept(TokenKind::comma)) return missing_operand(operand);
      if (first && at_end()) return missing_operand(operand);
      first = false;
      const Token token = lexer_.token();
      if (!parse_operand(context_, lexer_, operand, operation_.operands[i], result_.pending,
                         result_.virtuals[i])) {
        return false;
      }
      if (context_.watch && context_.automatic_lines) check_literal(operand, token);
    }
    positional_ = !first;
    return true;
  }

  // `vadd.f32 v1, 2` adds a number close to zero. Hexadecimal is taken as written; the last part of
  // a mnemonic is the type of the sources.
  void check_literal(const Operand& operand, const Token& token) const {
    if (!register_or_constant(operand) || !row_->mnemonic.ends_with(".f32")) return;
    Lexer before = lexer_;
    before.rewind_to(token);
    const bool negative = before.accept(TokenKind::minus);
    const Token literal = before.token();
    if (!literal.is(TokenKind::integer) || literal.integer == 0) return;
    if (literal.text().size() > 1 && literal.text()[0] == '0') return;
    before.advance();
    if (before.token().begin != lexer_.token().begin) return;  // part of an expression
    const auto bits = static_cast<std::uint32_t>(negative ? 0 - literal.integer : literal.integer);
    context_.reporter.warn(Warning::integer_literal, before.span_from(token.begin),
                           fmt::format("write {0}{1}.0, or 0x{2:x} for the bits",
                                       negative ? "-" : "", literal.integer, bits),
                           {}, row_->mnemonic,
                           fmt::format("{}{}", negative ? "-" : "", literal.integer),
                           value_of(bits));
  }

  // The fp32 number that these bits are.
  static std::string value_of(std::uint32_t bits) {
    const auto number = std::bit_cast<float>(bits);
    return std::isnan(number) ? "NaN" : fmt::format("{:g}", number);
  }

  bool missing_operand(const Operand& operand) {
    return expected(fmt::format("operand `{}` of `{}`, {}", operand.name, row_->mnemonic,
                                operand_form(operand)),
                    "the form is `" + form() + "`");
  }

  bool attributes() {
    for (std::size_t i = 0; i < row_->operands.count; ++i) {
      const Operand& operand = *row_->operands.items[i];
      if (is_attribute(operand.kind)) operation_.operands[i] = default_value(operand);
    }
    std::uint32_t seen = 0;
    bool need_comma = positional_;
    while (!at_end()) {
      if (need_comma && !lexer_.accept(TokenKind::comma)) {
        return expected(lexer_.in_braces() ? "`;` or `}`" : "the end of the line",
                        "the form is `" + form() + "`");
      }
      need_comma = true;
      if (!attribute(seen)) return false;
    }
    return true;
  }

  bool attribute(std::uint32_t& seen) {
    const Token name = lexer_.token();
    for (std::size_t i = 0; i < row_->operands.count; ++i) {
      const Operand& operand = *row_->operands.items[i];
      if (!is_attribute(operand.kind) || operand.name != name.text()) continue;
      if (((seen >> i) & 1U) != 0) {
        return context_.reporter.error(Code::attribute_twice, lexer_.span(name), "", name.text());
      }
      seen |= 1U << i;
      lexer_.advance();
      if (operand.kind != OperandKind::option && !lexer_.accept(TokenKind::equals)) {
        return expected(fmt::format("`=` of `{}=`", operand.name));
      }
      return parse_attribute(context_, lexer_, operand, operation_.operands[i],
                             result_.virtuals[i]);
    }
    return context_.reporter.error(Code::unknown_attribute, lexer_.span(name),
                                   "the form is `" + form() + "`", name.text(), row_->mnemonic);
  }

  // "vd = vld address [, stride=] [, rows=] [, mask=]"
  [[nodiscard]] std::string form() const { return form_of(*row_); }
  static std::string form_of(const Instruction& row) {
    std::string left;
    std::string right;
    for (const Operand* operand : row.operands) {
      if (is_destination(*operand)) {
        left += fmt::format("{} = ", operand->name);
      } else if (is_attribute(operand->kind)) {
        const bool bare = operand->kind == OperandKind::option;
        right += fmt::format(" [, {}{}]", operand->name, bare ? "" : "=");
      } else {
        right += fmt::format("{}{}", right.empty() ? " " : ", ", operand->name);
      }
    }
    return left + std::string(row.mnemonic) + right;
  }

  [[nodiscard]] bool at_end() const {
    const TokenKind kind = lexer_.token().kind;
    return kind == TokenKind::semicolon || kind == TokenKind::close_brace ||
           kind == TokenKind::newline || kind == TokenKind::end || kind == TokenKind::open_brace ||
           lexer_.begins_line();
  }

  bool expected(std::string_view what, const std::string& hint = {}) {
    return report_expected(context_, lexer_, what, hint);
  }

  static constexpr Operand predicate_operand{"predicate", OperandKind::preg, Access::read,
                                             predicate_field};

  Context& context_;
  Lexer& lexer_;
  PlacedOperation& result_;
  Operation operation_;
  const Instruction* row_ = nullptr;
  Token first_;
  Token mnemonic_;
  std::array<Token, max_names> names_;
  std::size_t name_count_ = 0;
  bool positional_ = false;
};

}  // namespace

const Instruction* lookup_mnemonic(std::string_view mnemonic) {
  static const MnemonicTable table;
  return table.find(mnemonic);
}

bool parse_operation(Context& context, Lexer& lexer, PlacedOperation& operation) {
  operation.line = lexer.line();
  return OperationParser(context, lexer, operation).parse();
}

}  // namespace tandem::assembly
