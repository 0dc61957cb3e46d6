// Collects the errors and warnings of one assembly.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "assembler/text/source.hpp"
#include "assembler/warnings/warnings.hpp"
#include "isa/object/diagnostic_codes.hpp"

namespace tandem::assembly {

using Code = DiagnosticCode;

class Reporter {
 public:
  explicit Reporter(std::size_t limit, WarningSet warnings = {})
      : limit_(limit), wanted_(warnings) {}

  // Reports `code` at `where`; `args` fill the placeholders of its wording. Always returns false,
  // so that a parser can end with `return error(...)`.
  template <typename... Args>
  bool error(Code code, const Span& where, const std::string& hint, const Args&... args) {
    if (full()) return false;
    ++reported_;
    add(code, where, hint, fmt::format(fmt::runtime(code_row(code).wording), args...));
    return false;
  }

  // Warns if that warning is enabled. `again`, if it has a text, is the second place that the
  // warning is about.
  template <typename... Args>
  void warn(Warning warning, const Span& where, const std::string& hint, const Span& again,
            const Args&... args) {
    if (!wanted_.has(warning) || warnings_.size() >= limit_) return;
    add_warning(warning, where, hint, again,
                fmt::format(fmt::runtime(warning_row(warning).wording), args...));
  }

  // Whether the limit is reached: time to stop. Errors that a repetition makes again and again are
  // shown once, but their number is limited too.
  [[nodiscard]] bool full() const {
    return diagnostics_.size() >= limit_ || reported_ >= limit_ + most_repeated;
  }
  [[nodiscard]] bool empty() const { return diagnostics_.empty(); }
  // In the order of the text being assembled; errors in an expansion or an included file appear
  // where it is expanded or included.
  std::vector<Diagnostic> take();
  std::vector<Diagnostic> take_warnings();

 private:
  void add(Code code, const Span& where, const std::string& hint, std::string message);
  void add_warning(Warning warning, const Span& where, const std::string& hint, const Span& again,
                   std::string message);

  static constexpr std::size_t most_repeated = 1000;

  std::size_t limit_;
  std::size_t reported_ = 0;
  std::vector<Diagnostic> diagnostics_;
  WarningSet wanted_;
  std::vector<Diagnostic> warnings_;
};

}  // namespace tandem::assembly
