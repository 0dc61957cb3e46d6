// Macros: reading their arguments and substituting them.
#pragma once

#include <string_view>
#include <vector>

#include "assembler/context.hpp"
#include "assembler/lexer.hpp"

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

// Counts an expansion against the limits of depth and size; reports and returns false when they
// are reached.
bool charge_expansion(Context& context, const Span& where, std::uint32_t depth, std::size_t bytes);
// What an expansion costs beside its text: as one that is kept, and as one that is read again.
inline constexpr std::size_t kept_expansion_bytes = 256;
inline constexpr std::size_t read_expansion_bytes = 16;

}  // namespace tandem::assembly
