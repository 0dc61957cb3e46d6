// Assembly with placeholders whose lines are known only when all of it has been written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tandem::compiler {

class OpenText {
 public:
  void add(const std::string& lines);
  // Where descriptor `number` may be made, and where a linear block begins again.
  void leave_descriptor(std::size_t number) { pieces_.push_back({"", Place::descriptor, number}); }
  void leave_beginning() { pieces_.push_back({"", Place::beginning, 0}); }
  // The whole text, with these lines at the placeholders.
  [[nodiscard]] std::string closed(llvm::function_ref<std::string(std::size_t)> descriptor,
                                   const std::string& beginning) const;

 private:
  enum class Place : std::uint8_t { none, descriptor, beginning };
  // Lines, then a placeholder.
  struct Piece {
    std::string lines;
    Place place = Place::none;
    std::size_t number = 0;
  };
  std::vector<Piece> pieces_;
};

}  // namespace tandem::compiler
