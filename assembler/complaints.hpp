// Collects the errors of one assembly.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "assembler/source.hpp"
#include "isa/object/diagnostic_codes.hpp"

namespace tandem::assembly {

using Code = DiagnosticCode;

class Reporter {
 public:
  explicit Reporter(std::size_t limit) : limit_(limit) {}

  // Reports `code` at `where`; `args` fill the holes of its wording. Always returns false, so that
  // a parser can end with `return error(...)`.
  template <typename... Args>
  bool error(Code code, const Span& where, const std::string& hint, const Args&... args) {
    if (full()) return false;
    ++reported_;
    add(code, where, hint, fmt::format(fmt::runtime(code_row(code).wording), args...));
    return false;
  }

  // Whether the limit is reached: time to stop. Errors that a repetition makes again and again are
  // shown once and come to an end too.
  [[nodiscard]] bool full() const {
    return diagnostics_.size() >= limit_ || reported_ >= limit_ + most_repeated;
  }
  [[nodiscard]] bool empty() const { return diagnostics_.empty(); }
  // In the order of the text that is being assembled; what an expansion or an included file is
  // wrong about stands where it is expanded or included.
  std::vector<Diagnostic> take();

 private:
  void add(Code code, const Span& where, const std::string& hint, std::string message);

  static constexpr std::size_t most_repeated = 1000;

  std::size_t limit_;
  std::size_t reported_ = 0;
  std::vector<Diagnostic> diagnostics_;
};

// ": did you mean `x`?" material: the candidate nearest to `word`, or "" when none is near.
class NearestName {
 public:
  explicit NearestName(std::string_view word) : word_(word), best_distance_(word.size() / 3 + 2) {}
  void consider(std::string_view candidate);
  [[nodiscard]] const std::string& name() const { return best_; }  // "" when none is near
  [[nodiscard]] std::string hint() const;

 private:
  std::string_view word_;
  std::string best_;
  std::size_t best_distance_;        // a candidate must be nearer than this
  std::size_t work_left_ = 500'000;  // of comparing: among very many names the first ones count
};

}  // namespace tandem::assembly
