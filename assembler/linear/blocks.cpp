#include "assembler/linear/blocks.hpp"

#include <algorithm>
#include <array>

#include "assembler/bundle.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/files.hpp"
#include "assembler/linear/block_scan.hpp"
#include "assembler/macro.hpp"
#include "assembler/statement.hpp"
#include "assembler/text/library.hpp"
#include "assembler/text/quoted.hpp"
#include "assembler/words.hpp"
#include "host/nearest_name.hpp"

namespace tandem::assembly {
namespace {

constexpr std::int64_t max_repetitions = 1 << 24;

std::uint32_t line_at(const Lexer& lexer, const char* position) {
  const auto lines = std::count(lexer.token().begin, position, '\n');
  return lexer.line() + static_cast<std::uint32_t>(lines);
}

// The lexer is at the end of a line: the first character of the next one.
const char* next_line(const Lexer& lexer) {
  return lexer.token().is(TokenKind::newline) ? lexer.token().end : lexer.token().begin;
}

}  // namespace

constexpr std::array<Blocks::Row, 11> Blocks::rows{{
    {".if", &Blocks::begin_if},
    {".else", &Blocks::other_branch},
    {".elseif", &Blocks::other_branch},
    {".endif", &Blocks::end_if},
    {".macro", &Blocks::macro},
    {".endm", &Blocks::stray_end},
    {".rept", &Blocks::repeat},
    {".endr", &Blocks::stray_end},
    {".include", &Blocks::include},
    {".ifdef", &Blocks::begin_if},
    {".ifndef", &Blocks::begin_if},
}};

const Blocks::Row* Blocks::find(std::string_view directive) {
  const auto* row = std::find_if(rows.begin(), rows.end(),
                                 [directive](const Row& item) { return item.name == directive; });
  return row == rows.end() ? nullptr : row;
}

std::vector<std::string_view> Blocks::names() {
  std::vector<std::string_view> names;
  names.reserve(rows.size());
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

bool Blocks::is_block(std::string_view directive) { return find(directive) != nullptr; }

bool Blocks::parse(Lexer& lexer) {
  const Span name = lexer.span();
  const Row* row = find(lexer.token().text());
  lexer.advance();
  return (this->*row->handler)(lexer, name);
}

void Blocks::finish() {
  for (const Span& open : open_ifs_) {
    context_.reporter.error(Code::open_block, open, "", ".if", ".endif");
  }
}

bool Blocks::begin_if(Lexer& lexer, const Span& name) {
  open_ifs_.push_back(name);
  bool holds = false;
  if (text_of(name) == ".if") {
    Value value;
    // A condition that cannot be read counts as false: the other errors are still found.
    if (parse_constant(context_, lexer, value)) holds = value.truth();
  } else {
    const SymbolId id = context_.symbols.find(lexer.token().text());
    holds = id != no_symbol && context_.symbols[id].kind != SymbolKind::unknown;
    if (text_of(name) == ".ifndef") holds = !holds;
    lexer.advance();
  }
  if (holds) return true;
  return skip_branch(lexer, true);
}

// Reached at the end of a taken branch: the rest is skipped.
bool Blocks::other_branch(Lexer& lexer, const Span& name) {
  if (open_ifs_.empty()) {
    return context_.reporter.error(Code::stray_directive, name, "", text_of(name), ".if");
  }
  return skip_branch(lexer, false);
}

bool Blocks::end_if(Lexer& /*lexer*/, const Span& name) {
  if (open_ifs_.empty()) {
    return context_.reporter.error(Code::stray_directive, name, "", text_of(name), ".if");
  }
  open_ifs_.pop_back();
  return true;
}

// Moves past the next .elseif that is true or .else (when one is wanted), or past .endif.
bool Blocks::skip_branch(Lexer& lexer, bool wanted) {
  lexer.skip_line();
  for (;;) {
    const BlockLine line = find_block_line(lexer.buffer(), next_line(lexer), ".if", ".endif",
                                           {".else", ".elseif", ".endif"});
    if (line.begin == nullptr) {
      lexer.resume_at(lexer.buffer().end());
      return true;  // finish() reports it
    }
    lexer.resume_at(line.word);
    lexer.advance();
    if (line.directive == ".endif") {
      open_ifs_.pop_back();
      return true;
    }
    if (wanted && line.directive == ".else") return true;
    if (wanted && line.directive == ".elseif") {
      Value value;
      if (parse_constant(context_, lexer, value) && value.truth()) return true;
    }
    lexer.skip_line();
  }
}

bool Blocks::stray_end(Lexer& /*lexer*/, const Span& name) {
  const bool macro_end = text_of(name) == ".endm";
  return context_.reporter.error(Code::stray_directive, name, "", text_of(name),
                                 macro_end ? ".macro" : ".rept");
}

// Takes the lines up to `close`; the lexer is then after that word.
bool Blocks::block_body(Lexer& lexer, const Span& name, std::string_view open,
                        std::string_view close, std::string_view& body, std::uint32_t& first_line) {
  lexer.skip_line();
  const char* begin = next_line(lexer);
  first_line = line_at(lexer, begin);
  const BlockLine line = find_block_line(lexer.buffer(), begin, open, close, {close});
  if (line.begin == nullptr) {
    lexer.resume_at(lexer.buffer().end());
    return context_.reporter.error(Code::open_block, name, "", open, close);
  }
  body = {begin, static_cast<std::size_t>(line.begin - begin)};
  lexer.resume_at(line.word);
  lexer.advance();
  return true;
}

// `.macro NAME a, b=default`
bool Blocks::macro(Lexer& lexer, const Span& name) {
  Macro macro;
  const Span macro_name = lexer.span();
  const bool good_head = macro_head(lexer, macro);
  macro.buffer = &lexer.buffer();
  const bool good_body = block_body(lexer, name, ".macro", ".endm", macro.body, macro.first_line);
  if (!good_head || !good_body) return good_body;
  if (lookup_mnemonic(macro.name) != nullptr) {
    context_.reporter.error(Code::reserved_name, macro_name, "it is a mnemonic", macro.name);
  } else if (!context_.macros.emplace(macro.name, macro).second) {
    context_.reporter.error(Code::already_defined, macro_name, "", macro.name);
  }
  return true;
}

bool Blocks::macro_head(Lexer& lexer, Macro& macro) {
  if (!lexer.token().is(TokenKind::identifier)) {
    return report_expected(context_, lexer, "the name of the macro");
  }
  macro.name = lexer.token().text();
  lexer.advance();
  while (lexer.token().is(TokenKind::identifier)) {
    Macro::Parameter parameter{lexer.token().text(), {}, false};
    const char* after = lexer.token().end;
    lexer.advance();
    if (lexer.token().is(TokenKind::equals)) {
      after = lexer.token().end;
      const char* end = ItemScanner(lexer.buffer().end(), false).item_end(after);
      parameter.fallback = trimmed(after, end);
      parameter.has_fallback = true;
      lexer.resume_at(end);
    }
    macro.parameters.push_back(parameter);
    if (!lexer.accept(TokenKind::comma)) break;
  }
  if (lexer.token().is(TokenKind::newline) || lexer.token().is(TokenKind::end)) return true;
  return report_expected(context_, lexer, "the end of the line",
                         "parameters are names, separated by commas");
}

// `.rept count` or `.rept count, counter`
bool Blocks::repeat(Lexer& lexer, const Span& name) {
  std::int64_t count = 0;
  bool good = parse_integer(context_, lexer, "number of repetitions", 0, max_repetitions, count);
  std::string_view counter;
  if (good && lexer.accept(TokenKind::comma)) {
    counter = lexer.token().text();
    good = lexer.token().is(TokenKind::identifier);
    if (!good) report_expected(context_, lexer, "the name of the counter");
  }
  std::string_view body;
  std::uint32_t first_line = 0;
  if (!block_body(lexer, name, ".rept", ".endr", body, first_line)) return false;
  if (good) run(&lexer.buffer(), name, count, counter, body, first_line);
  return true;
}

void Blocks::run(const Buffer* buffer, const Span& name, std::int64_t count,
                 std::string_view counter, std::string_view body, std::uint32_t first_line) {
  const bool varies = body.find('\\') != std::string_view::npos;
  const Buffer* expansion = nullptr;
  for (std::int64_t i = 0; i < count && !context_.reporter.full(); ++i) {
    const std::size_t cost = body.size() * ExpansionCost::character +
                             (varies ? ExpansionCost::kept : ExpansionCost::again);
    if (!charge_expansion(context_, name, buffer->depth + 1, cost)) return;
    if (expansion == nullptr || varies) {
      const std::string number = std::to_string(i);
      std::vector<Substitution> bound;
      if (!counter.empty()) bound.push_back({counter, number});
      Buffer round = child_of(*buffer, name.begin);
      round.storage = substitute(body, bound, ++context_.expansion_number);
      round.first_line = first_line;
      round.origin = fmt::format("repetition {} of `.rept`", i);
      expansion = &context_.sources.add(std::move(round));
    }
    parse_text(context_, *expansion);
  }
}

bool Blocks::include(Lexer& lexer, const Span& name) {
  std::string path;
  const Span where = lexer.span();
  if (!parse_string(context_, lexer, path)) return false;
  Buffer file = child_of(lexer.buffer(), name.begin);
  if (!charge_expansion(context_, name, file.depth, ExpansionCost::file)) return false;
  const auto found = find_file(context_, lexer.buffer().name, path, file.name);
  if (const auto of_library = library_text(path); found->missing() && of_library) {
    file.name = path;
    file.storage = *of_library;
  } else if (!found->read_rest(max_source_bytes, file.storage)) {
    return report_unreadable(context_, where, lexer.buffer().name, path, *found);
  }
  if (file.depth > 1 && !charge_expansion(context_, name, file.depth,
                                          file.storage.size() * ExpansionCost::character)) {
    return false;
  }
  parse_text(context_, context_.sources.add(std::move(file)));
  return true;
}

}  // namespace tandem::assembly
