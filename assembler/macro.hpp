// Macros: reading their arguments and substituting them.
#pragma once

#include <string_view>
#include <vector>

#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

// Reads the arguments of the call that the lexer is at and returns the expansion; the lexer is then
// after the call. nullptr when an error was reported.
const Buffer* expand_macro(Context& context, Lexer& lexer, const Macro& macro);

struct Substitution {
  std::string_view name;
  std::string_view text;
};
// `body` with \name, \@ and \() replaced. Stops early once the text is longer than any expansion
// may be; charge_expansion() then refuses it.
std::string substitute(std::string_view body, const std::vector<Substitution>& substitutions,
                       std::uint32_t number);

// Bounds the work that a few lines may cause: every expansion, and every bundle, symbolic word and
// file in it, costs about the host memory that it takes, or more if it takes time. Together they
// may cost max_expanded_bytes: a few seconds, less than 1 GB.
struct ExpansionCost {
  static constexpr std::size_t character = 8;
  static constexpr std::size_t kept = 1024;  // in addition to its text: an expansion that is kept
  static constexpr std::size_t again = 64;   // one that is read again
  static constexpr std::size_t file = 16384;
  static constexpr std::size_t bundle = 256;
  static constexpr std::size_t linear_operation = 1024;
  static constexpr std::size_t symbolic_word = 256;
};
// Counts an expansion against the limits of depth and size; reports and returns false when they
// are reached.
bool charge_expansion(Context& context, const Span& where, std::uint32_t depth, std::size_t bytes);
// The same for the contents of a text. Outside expansions this is free, being only as large as the
// text.
bool charge_within(Context& context, const Span& where, std::size_t bytes);

}  // namespace tandem::assembly
