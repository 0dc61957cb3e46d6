#include "assembler/text/complaints.hpp"

#include <algorithm>

namespace tandem::assembly {
namespace {

bool same_place(const Diagnostic& left, const Diagnostic& right) {
  return left.where.line == right.where.line && left.where.column == right.where.column &&
         left.where.file == right.where.file && left.message == right.message;
}

// Line of the outermost text.
std::uint32_t root_line(const Diagnostic& diagnostic) {
  return diagnostic.notes.empty() ? diagnostic.where.line : diagnostic.notes.back().where.line;
}

// An error in the body of a repetition is reported once, not once per iteration.
void append(std::vector<Diagnostic>& list, Diagnostic diagnostic, const Span& where) {
  const bool repeated = std::any_of(list.begin(), list.end(),
                                    [&](const auto& old) { return same_place(old, diagnostic); });
  if (repeated) return;
  if (where.buffer != nullptr) {
    for (DiagnosticNote& note : origin_notes(*where.buffer)) {
      diagnostic.notes.push_back(std::move(note));
    }
  }
  list.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> in_order(std::vector<Diagnostic> list) {
  std::stable_sort(list.begin(), list.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return root_line(a) < root_line(b);
  });
  return list;
}

}  // namespace

void Reporter::add(Code code, const Span& where, const std::string& hint, std::string message) {
  append(diagnostics_, {code_text(code), std::move(message), locate(where), hint, {}, {}}, where);
}

void Reporter::add_warning(Warning warning, const Span& where, const std::string& hint,
                           const Span& again, std::string message) {
  Diagnostic diagnostic{"", std::move(message), locate(where), hint, {}, {}};
  diagnostic.warning = warning_row(warning).name;
  if (again.buffer != nullptr) diagnostic.notes.push_back({"here", locate(again)});
  append(warnings_, std::move(diagnostic), where);
}

std::vector<Diagnostic> Reporter::take() { return in_order(std::move(diagnostics_)); }
std::vector<Diagnostic> Reporter::take_warnings() { return in_order(std::move(warnings_)); }

}  // namespace tandem::assembly
