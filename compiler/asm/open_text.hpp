// Assembly with placeholders for the beginning of a linear block, which is known only when all of
// it has been written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tandem::compiler {

class OpenText {
 public:
  void add(const std::string& lines) { pieces_.back() += lines; }
  // A linear block begins again here.
  void leave_beginning() { pieces_.emplace_back(); }
  // The whole text, with these lines at the placeholders.
  [[nodiscard]] std::string closed(const std::string& beginning) const {
    std::string text = pieces_.front();
    for (std::size_t i = 1; i < pieces_.size(); ++i) text += beginning + pieces_[i];
    return text;
  }

 private:
  std::vector<std::string> pieces_{""};
};

}  // namespace tandem::compiler
