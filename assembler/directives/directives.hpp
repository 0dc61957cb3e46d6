// Directives that affect only their own line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"
#include "host/nearest_name.hpp"

namespace tandem::assembly {

// Carries out the directive that the lexer is at; false when an error was reported.
bool parse_directive(Context& context, Lexer& lexer);

struct DirectiveRow {
  std::string_view name;
  bool (*handler)(Context& context, Lexer& lexer, const Span& name);
};

// From section.cpp, data.cpp, symbol.cpp, function.cpp, debug.cpp, linear.cpp.
std::span<const DirectiveRow> section_directives();
std::span<const DirectiveRow> data_directives();
std::span<const DirectiveRow> symbol_directives();
std::span<const DirectiveRow> function_directives();
std::span<const DirectiveRow> debug_directives();
std::span<const DirectiveRow> linear_directives();
// From the rows of data.cpp and section.cpp: `.descriptor`, `.start_copy`.
bool descriptor_directive(Context& context, Lexer& lexer, const Span& name);
bool start_copy_directive(Context& context, Lexer& lexer, const Span& name);

// From section.cpp, for contents: whether the current section may grow by so many of its units.
// Reports that it may not.
bool has_room(Context& context, const Span& where, std::uint64_t amount);
// From data.cpp: appends a word with contents to .data or .smem; and whether symbols may be named
// there, which the linker places in .data only. Reports that they may not.
void append_word(Context& context, std::uint32_t word);
bool takes_symbols(Context& context, const Span& where);
// All of them, and those of blocks of lines (`.if`).
std::vector<std::string_view> directive_names();
void suggest_directives(NearestName& nearest);

// What `.tensor` and `.parameter` have in common: `[rows, 64, ?]` of sizes.cpp, where sizes may be
// made of others (`[n - 4]`) or not, and of symbol.cpp a type and in|out|inout.
enum class SizeForms : std::uint8_t { names, expressions };
bool parse_shape(Context& context, Lexer& lexer, Tensor& tensor, SizeForms forms);
bool parse_element_type(Context& context, Lexer& lexer, ElementType& type);
bool parse_direction(Context& context, Lexer& lexer, Tensor& tensor);

// "it is defined at loop.s:3", for the hint of a second definition.
std::string defined_where(const SymbolEntry& entry);

}  // namespace tandem::assembly
