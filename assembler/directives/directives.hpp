// Directives that govern their own line only.
#pragma once

#include <string>
#include <string_view>

#include "assembler/context.hpp"
#include "assembler/lexer.hpp"

namespace tandem::assembly {

// Carries out the directive at which the lexer stands; false when it was reported.
bool parse_directive(Context& context, Lexer& lexer);

struct DirectiveRow {
  std::string_view name;
  bool (*handler)(Context& context, Lexer& lexer, const Span& name);
};

// directives_section.cpp: .text .data .bss .vmem .smem .space .align .global .extern .entry
//                         .arguments
// directives_data.cpp:    .f32 .bf16 .s32 .u32 .s16 .u16 .s8 .u8 .u64 .ascii .asciz .incbin
// directives_symbol.cpp:  .target .tensor .equ .set .reg
// directives_debug.cpp:   .lines .loc .bundle .reloc .error
// directives_linear.cpp:  .linear .endlinear
const DirectiveRow* find_section_directive(std::string_view name);
const DirectiveRow* find_data_directive(std::string_view name);
const DirectiveRow* find_symbol_directive(std::string_view name);
const DirectiveRow* find_debug_directive(std::string_view name);
const DirectiveRow* find_linear_directive(std::string_view name);
void suggest_directives(NearestName& nearest);

// "it is defined at loop.s:3", for the hint of a second definition.
std::string defined_where(const SymbolEntry& entry);

template <std::size_t N>
const DirectiveRow* find_row(const DirectiveRow (&rows)[N], std::string_view name) {
  for (const DirectiveRow& row : rows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace tandem::assembly
