// Which words of HBM hold never-written data: outputs that the program has not filled yet, and
// never-written VMEM that copies brought there. Pages exist only if there is such a word, so a
// memory of any size costs nothing. Copies of the marks share their pages until one of them writes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

namespace tandem::golden {

class HbmMarks {
 public:
  static constexpr std::uint64_t page_words = 16384;
  static constexpr std::uint32_t piece_words = 64;

  void clear() { pages_.clear(); }
  [[nodiscard]] bool empty() const { return pages_.empty(); }

  [[nodiscard]] bool unwritten(std::uint64_t word) const {
    return !empty() && (piece(word / piece_words) >> (word % piece_words) & 1U) != 0;
  }
  // A range as unwritten, or as written.
  void mark(std::uint64_t word, std::uint64_t count) { fill(word, count, true); }
  void define(std::uint64_t word, std::uint64_t count) {
    if (!empty()) fill(word, count, false);
  }

  // The marks of up to 64 words from any word on; bit i is word + i.
  [[nodiscard]] std::uint64_t read(std::uint64_t word, std::uint32_t count) const;
  void write(std::uint64_t word, std::uint32_t count, std::uint64_t marks);
  // How many words from here on are known to be written: to the end of a page that does not exist.
  [[nodiscard]] std::uint64_t written_from(std::uint64_t word) const;

  // For snapshot files (isa/archive/archive.hpp).
  template <typename A>
  void archive(A& a) {
    std::map<std::uint64_t, Page> pages;
    for (const auto& [number, page] : pages_) pages.emplace(number, *page);
    a(pages);
    if constexpr (A::reads) {
      pages_.clear();
      for (const auto& [number, page] : pages) pages_[number] = std::make_shared<Page>(page);
    }
  }

 private:
  struct Page {
    std::array<std::uint64_t, page_words / piece_words> pieces{};
    std::uint32_t unwritten = 0;
  };

  [[nodiscard]] std::uint64_t piece(std::uint64_t number) const;
  // Replaces the marks of the words in `which`.
  void replace(std::uint64_t number, std::uint64_t which, std::uint64_t marks);
  void fill(std::uint64_t word, std::uint64_t count, bool unwritten);

  std::unordered_map<std::uint64_t, std::shared_ptr<Page>> pages_;
};

}  // namespace tandem::golden
