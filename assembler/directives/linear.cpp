// .linear and .endlinear.
#include "assembler/linear/linear.hpp"
#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

bool begin(Context& context, Lexer& lexer, const Span& name) {
  if (context.linear != nullptr) {
    return context.reporter.error(Code::not_in_linear, name, "`.endlinear` ends the one before",
                                  text_of(name));
  }
  if (context.section != Place::text) {
    return context.reporter.error(Code::wrong_section, name, "write `.text` first",
                                  "a linear block", ".text");
  }
  context.linear = std::make_shared<LinearState>();
  context.linear->opened = name;
  if (lexer.token().is(TokenKind::identifier)) {
    const Span label = lexer.span();
    context.linear->block.name = lexer.token().text();
    lexer.advance();
    define_label(context, label);
  }
  return true;
}

bool end(Context& context, Lexer& /*lexer*/, const Span& name) {
  if (context.linear == nullptr) {
    return context.reporter.error(Code::stray_directive, name, "", text_of(name), ".linear");
  }
  finish_linear(context);
  return true;
}

bool disjoint(Context& context, Lexer& lexer, const Span& name) {
  if (context.linear == nullptr) {
    return context.reporter.error(Code::stray_directive, name, "", text_of(name), ".linear");
  }
  return add_disjoint(context, lexer);
}

// `.frame words, rows`: space for values without a register.
bool frame(Context& context, Lexer& lexer, const Span& name) {
  if (context.linear == nullptr) {
    return context.reporter.error(Code::stray_directive, name, "", text_of(name), ".linear");
  }
  std::int64_t words = 0;
  std::int64_t rows = 0;
  const Parameters& preset = context.parameters();
  const bool good =
      parse_integer(context, lexer, "words of the frame", 0, preset.smem_words(), words);
  if (!good) return false;
  if (lexer.accept(TokenKind::comma) &&
      !parse_integer(context, lexer, "rows of the frame", 0, preset.vmem_rows(), rows)) {
    return false;
  }
  context.linear->block.frame_words = static_cast<std::uint32_t>(words);
  context.linear->block.frame_rows = static_cast<std::uint32_t>(rows);
  return true;
}

// `.copies_apart n, label`: copies in loops, or in that one, do not touch what n iterations access.
bool copies_apart(Context& context, Lexer& lexer, const Span& name) {
  constexpr std::int64_t most = 1 << 16;
  if (context.linear == nullptr) {
    return context.reporter.error(Code::stray_directive, name, "", text_of(name), ".linear");
  }
  std::int64_t iterations = 0;
  if (!parse_integer(context, lexer, "number of iterations", 0, most, iterations)) return false;
  if (lexer.accept(TokenKind::comma)) {
    schedule::Hint* hint = hint_for(context, lexer);
    if (hint == nullptr) return false;
    hint->copies_apart = static_cast<std::uint32_t>(iterations);
    return true;
  }
  context.linear->block.copies_apart = static_cast<std::uint32_t>(iterations);
  return true;
}

schedule::Hint* hint_of(Context& context, Lexer& lexer, const Span& name) {
  if (context.linear == nullptr) {
    context.reporter.error(Code::stray_directive, name, "", text_of(name), ".linear");
    return nullptr;
  }
  return hint_for(context, lexer);
}

bool number(Context& context, Lexer& lexer, const char* what, std::int64_t from, std::int64_t to,
            std::uint32_t& value) {
  std::int64_t read = 0;
  if (!parse_integer(context, lexer, what, from, to, read)) return false;
  value = static_cast<std::uint32_t>(read);
  return true;
}

// `.trips label, fewest, most, factor`: the number of iterations each time the loop is entered.
bool trips(Context& context, Lexer& lexer, const Span& name) {
  constexpr std::int64_t most = 0xffff'ffff;
  schedule::Hint* hint = hint_of(context, lexer, name);
  if (hint == nullptr) return false;
  if (!lexer.accept(TokenKind::comma)) return report_expected(context, lexer, "`,`");
  if (!number(context, lexer, "fewest iterations", 1, most, hint->fewest)) return false;
  if (!lexer.accept(TokenKind::comma)) return true;
  if (!number(context, lexer, "most iterations", hint->fewest, most, hint->most)) return false;
  if (!lexer.accept(TokenKind::comma)) return true;
  const Span where = lexer.span();
  if (!number(context, lexer, "factor", 1, most, hint->factor)) return false;
  if (hint->allows_any(hint->fewest, 1)) return true;
  return context.reporter.error(Code::out_of_range, where, "no multiple of it is between the two",
                                "factor", hint->factor, hint->fewest, hint->most);
}

// `.unroll label, n`: copies of an iteration in the kernel of the loop's pipeline.
bool unroll(Context& context, Lexer& lexer, const Span& name) {
  constexpr std::int64_t most = 8;
  schedule::Hint* hint = hint_of(context, lexer, name);
  if (hint == nullptr) return false;
  if (!lexer.accept(TokenKind::comma)) return report_expected(context, lexer, "`,`");
  return number(context, lexer, "copies", 1, most, hint->unroll);
}

bool hot(Context& context, Lexer& lexer, const Span& name) {
  schedule::Hint* hint = hint_of(context, lexer, name);
  if (hint != nullptr) hint->heat = schedule::Heat::hot;
  return hint != nullptr;
}
bool cold(Context& context, Lexer& lexer, const Span& name) {
  schedule::Hint* hint = hint_of(context, lexer, name);
  if (hint != nullptr) hint->heat = schedule::Heat::cold;
  return hint != nullptr;
}

}  // namespace

std::span<const DirectiveRow> linear_directives() {
  static constexpr DirectiveRow rows[] = {{".linear", begin},
                                          {".endlinear", end},
                                          {".disjoint", disjoint},
                                          {".frame", frame},
                                          {".copies_apart", copies_apart},
                                          {".trips", trips},
                                          {".unroll", unroll},
                                          {".hot", hot},
                                          {".cold", cold}};
  return rows;
}

}  // namespace tandem::assembly
