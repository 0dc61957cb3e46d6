#include "compiler/asm/open_text.hpp"

namespace tandem::compiler {

void OpenText::add(const std::string& lines) {
  if (pieces_.empty() || pieces_.back().place != Place::none) pieces_.emplace_back();
  pieces_.back().lines += lines;
}

std::string OpenText::closed(llvm::function_ref<std::string(std::size_t)> descriptor,
                             const std::string& beginning) const {
  std::string text;
  for (const Piece& piece : pieces_) {
    text += piece.lines;
    switch (piece.place) {
      case Place::none: break;
      case Place::descriptor: text += descriptor(piece.number); break;
      case Place::beginning: text += beginning; break;
    }
  }
  return text;
}

}  // namespace tandem::compiler
