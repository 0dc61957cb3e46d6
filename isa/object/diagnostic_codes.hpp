// The table of all errors of the assembler, the linker and the ELF reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/object/diagnostic.hpp"

namespace tandem {

enum class DiagnosticCode : std::uint8_t {
#define DIAGNOSTIC(name, number, wording) name,
#include "isa/object/diagnostics.def"
#undef DIAGNOSTIC
};

struct CodeRow {
  std::string_view name;
  unsigned number;
  std::string_view wording;  // a format string
};

const CodeRow& code_row(DiagnosticCode code);
// Every row, in order: for the test that provokes each of them.
const std::vector<CodeRow>& code_rows();
std::string code_text(DiagnosticCode code);  // "E012"

}  // namespace tandem
