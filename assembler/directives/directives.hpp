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

// section.cpp: .text .data .bss .vmem .smem .space .align .global .extern .entry
//              .arguments
// data.cpp:    .f32 .bf16 .s32 .u32 .s16 .u16 .s8 .u8 .u64 .ascii .asciz .incbin
// descriptor.cpp: .descriptor
// symbol.cpp:  .target .tensor .equ .set .reg
// debug.cpp:   .lines .loc .bundle .reloc .error
// linear.cpp:  .linear .endlinear
const DirectiveRow* find_section_directive(std::string_view name);
const DirectiveRow* find_data_directive(std::string_view name);
const DirectiveRow* find_symbol_directive(std::string_view name);
const DirectiveRow* find_debug_directive(std::string_view name);
const DirectiveRow* find_linear_directive(std::string_view name);
// Of data.cpp's rows: `.descriptor`.
bool descriptor_directive(Context& context, Lexer& lexer, const Span& name);
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
