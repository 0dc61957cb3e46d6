// "did you mean `x`?": of the existing names, the one nearest to an unknown word.
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
  std::size_t work_left_ = 500'000;  // of very many names only the first count
};

}  // namespace tandem
