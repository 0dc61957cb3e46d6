#include "assembler/complaints.hpp"

#include <algorithm>
#include <numeric>

namespace tandem::assembly {
namespace {

bool same_place(const Diagnostic& left, const Diagnostic& right) {
  return left.where.line == right.where.line && left.where.column == right.where.column &&
         left.where.file == right.where.file && left.message == right.message;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Line of the outermost text.
std::uint32_t root_line(const Diagnostic& diagnostic) {
  return diagnostic.notes.empty() ? diagnostic.where.line : diagnostic.notes.back().where.line;
}

// Letters differ less from their capitals than from each other: not at all.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(left[i - 1]) == lower(right[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

}  // namespace

void Reporter::add(Code code, const Span& where, const std::string& hint, std::string message) {
  Diagnostic diagnostic{code_text(code), std::move(message), locate(where), hint, {}};
  // The body of a repetition is wrong once, not once each time round.
  const bool repeated = std::any_of(diagnostics_.begin(), diagnostics_.end(),
                                    [&](const auto& old) { return same_place(old, diagnostic); });
  if (repeated) return;
  if (where.buffer != nullptr) diagnostic.notes = origin_notes(*where.buffer);
  diagnostics_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Reporter::take() {
  std::stable_sort(
      diagnostics_.begin(), diagnostics_.end(),
      [](const Diagnostic& a, const Diagnostic& b) { return root_line(a) < root_line(b); });
  return std::move(diagnostics_);
}

void NearestName::consider(std::string_view candidate) {
  const std::size_t longer = std::max(candidate.size(), word_.size());
  if (longer - std::min(candidate.size(), word_.size()) >= best_distance_ || longer > 64) return;
  const std::size_t work = candidate.size() * word_.size();
  if (work > work_left_) return;
  work_left_ -= work;
  const std::size_t distance = edit_distance(word_, candidate);
  if (distance >= best_distance_) return;
  // Half of a word's letters are another word: `.word` is not `.cold`.
  const std::size_t letters = word_.size() - (word_.starts_with('.') ? 1 : 0);
  if (distance > 1 && 2 * distance >= letters) return;
  best_distance_ = distance;
  best_ = candidate;
}

std::string NearestName::hint() const {
  return best_.empty() ? std::string() : fmt::format("did you mean `{}`?", best_);
}

}  // namespace tandem::assembly
