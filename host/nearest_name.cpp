#include "host/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace tandem {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Letters do not differ from their capitals.
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

void NearestName::consider(std::string_view candidate) {
  const std::size_t longer = std::max(candidate.size(), word_.size());
  if (longer - std::min(candidate.size(), word_.size()) >= best_distance_ || longer > 64) return;
  const std::size_t work = candidate.size() * word_.size();
  if (work > work_left_) return;
  work_left_ -= work;
  const std::size_t distance = edit_distance(word_, candidate);
  if (distance >= best_distance_) return;
  // Words that differ in half of their letters are different words: `.word` is not `.cold`.
  const std::size_t letters = word_.size() - (word_.starts_with('.') ? 1 : 0);
  if (distance > 1 && 2 * distance >= letters) return;
  best_distance_ = distance;
  best_ = candidate;
}

std::string NearestName::hint() const {
  return best_.empty() ? best_ : "did you mean `" + best_ + "`?";
}

}  // namespace tandem
