// Macros: reading their arguments and substituting them.
#pragma once

#include <string_view>
#include <vector>

#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

// Reads the arguments of the call at which the lexer stands and returns the expansion; the lexer
// then stands behind the call. nullptr when it was reported.
const Buffer* expand_macro(Context& context, Lexer& lexer, const Macro& macro);

struct Substitution {
  std::string_view name;
  std::string_view text;
};
// `body` with \name, \@ and \() replaced. Stops early once the text is longer than any expansion
// may be; charge_expansion() then refuses it.
std::string substitute(std::string_view body, const std::vector<Substitution>& substitutions,
                       std::uint32_t number);

// What a few lines may ask for is bounded by what they make: every expansion, and in it every
// bundle, symbolic word and file, costs about the host memory that it takes, or more where it takes
// time. Together they may cost max_expanded_bytes: a few seconds, less than 1 GB.
struct ExpansionCost {
  static constexpr std::size_t character = 8;
  static constexpr std::size_t kept = 1024;  // beside its text: an expansion that is kept
  static constexpr std::size_t again = 64;   // one that is read another time
  static constexpr std::size_t file = 16384;
  static constexpr std::size_t bundle = 256;
  static constexpr std::size_t linear_operation = 1024;
  static constexpr std::size_t symbolic_word = 256;
};
// Counts an expansion against the limits of depth and size; reports and returns false when they
// are reached.
bool charge_expansion(Context& context, const Span& where, std::uint32_t depth, std::size_t bytes);
// The same for what stands in a text; what stands in no expansion is as large as the text and free.
bool charge_within(Context& context, const Span& where, std::size_t bytes);

}  // namespace tandem::assembly
