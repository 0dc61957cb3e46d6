// "did you mean `x`?": of the names that there are, the one nearest to a word that is none of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tandem {

class NearestName {
 public:
  explicit NearestName(std::string_view word) : word_(word), best_distance_(word.size() / 3 + 2) {}
  void consider(std::string_view candidate);
  [[nodiscard]] const std::string& name() const { return best_; }  // "" when none is near
  // "did you mean `name`?", or "" when none is near.
  [[nodiscard]] std::string hint() const;

 private:
  std::string_view word_;
  std::string best_;
  std::size_t best_distance_;        // a candidate must be nearer than this
  std::size_t work_left_ = 500'000;  // of comparing: among very many names the first ones count
};

}  // namespace tandem
