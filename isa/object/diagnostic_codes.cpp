#include "isa/object/diagnostic_codes.hpp"

#include <fmt/format.h>

namespace tandem {

const std::vector<CodeRow>& code_rows() {
  static const std::vector<CodeRow> rows{
#define DIAGNOSTIC(name, number, wording) {#name, number, wording},
#include "isa/object/diagnostics.def"
#undef DIAGNOSTIC
  };
  return rows;
}

const CodeRow& code_row(DiagnosticCode code) { return code_rows()[static_cast<std::size_t>(code)]; }

std::string code_text(DiagnosticCode code) { return fmt::format("E{:03}", code_row(code).number); }

}  // namespace tandem
