#include "assembler/directives/directives.hpp"

#include <array>

namespace tandem::assembly {

bool parse_directive(Context& context, Lexer& lexer) {
  const Span name = lexer.span();
  const std::string_view text = lexer.token().text();
  const DirectiveRow* row = find_data_directive(text);
  if (row == nullptr) row = find_debug_directive(text);
  if (row == nullptr) row = find_section_directive(text);
  if (row == nullptr) row = find_symbol_directive(text);
  if (row == nullptr) row = find_linear_directive(text);
  if (row == nullptr) {
    NearestName nearest(text);
    suggest_directives(nearest);
    return context.reporter.error(Code::unknown_directive, name, nearest.hint(), text);
  }
  lexer.advance();
  return row->handler(context, lexer, name);
}

void suggest_directives(NearestName& nearest) {
  static constexpr std::array<std::string_view, 51> names{
      ".text",    ".data",        ".bss",        ".vmem",   ".smem",      ".space",     ".align",
      ".global",  ".extern",      ".entry",      ".f32",    ".bf16",      ".s32",       ".u32",
      ".s16",     ".u16",         ".s8",         ".u8",     ".u64",       ".ascii",     ".asciz",
      ".incbin",  ".target",      ".tensor",     ".equ",    ".set",       ".reg",       ".lines",
      ".loc",     ".bundle",      ".reloc",      ".error",  ".if",        ".else",      ".elseif",
      ".endif",   ".ifdef",       ".ifndef",     ".macro",  ".endm",      ".rept",      ".endr",
      ".include", ".s64",         ".descriptor", ".linear", ".endlinear", ".arguments", ".disjoint",
      ".frame",   ".copies_apart"};
  for (const std::string_view name : names) nearest.consider(name);
}

std::string defined_where(const SymbolEntry& entry) {
  if (entry.defined.buffer == nullptr) return {};
  const SourceSpan where = locate(entry.defined);
  return fmt::format("it is defined at {}:{}", where.file, where.line);
}

}  // namespace tandem::assembly
