// Messages of the assembler, the linker and the ELF reader. Codes and wording are in
// diagnostics.def.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem {

// One place in a file. Line and column count from 1; line 0 means "the file as a whole".
struct SourceSpan {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 1;  // characters underlined
  std::string text;          // the source line, without its end
};

// Where a line came from: "in expansion of macro `load`" at the line that expanded it.
struct DiagnosticNote {
  std::string message;
  SourceSpan where;
};

struct Diagnostic {
  std::string code;  // "E012"; see diagnostics.def; "" for a warning
  std::string message;
  SourceSpan where;
  std::string hint;  // "" when no fix is obvious
  std::vector<DiagnosticNote> notes;
  std::string warning;  // its name, "unused-label"; "" when it is an error
};

// Several lines ending in '\n':
//   loop.s:3:14: error[E040]: unknown mnemonic `vmull.f32`
//     3 |         v1 = vmull.f32 v2, v3
//       |              ^~~~~~~~~
//       = hint: did you mean `vmul.f32`?
std::string diagnostic_text(const Diagnostic& diagnostic);
std::string diagnostics_text(const std::vector<Diagnostic>& diagnostics);

}  // namespace tandem
