#include "isa/golden/marks/hbm_marks.hpp"

#include <algorithm>

namespace tandem::golden {
namespace {

constexpr std::uint64_t page_pieces = HbmMarks::page_words / HbmMarks::piece_words;

std::uint64_t low_bits(std::uint64_t count) {
  return count >= HbmMarks::piece_words ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

std::uint64_t HbmMarks::piece(std::uint64_t number) const {
  const auto found = pages_.find(number / page_pieces);
  return found == pages_.end() ? 0 : found->second->pieces[number % page_pieces];
}

void HbmMarks::replace(std::uint64_t number, std::uint64_t which, std::uint64_t marks) {
  const std::uint64_t before = piece(number);
  const std::uint64_t after = (before & ~which) | (marks & which);
  if (after == before) return;
  std::shared_ptr<Page>& page = pages_[number / page_pieces];
  if (page == nullptr) {
    page = std::make_shared<Page>();
  } else if (page.use_count() > 1) {
    page = std::make_shared<Page>(*page);
  }
  page->pieces[number % page_pieces] = after;
  page->unwritten += static_cast<std::uint32_t>(__builtin_popcountll(after));
  page->unwritten -= static_cast<std::uint32_t>(__builtin_popcountll(before));
  if (page->unwritten == 0) pages_.erase(number / page_pieces);
}

void HbmMarks::fill(std::uint64_t word, std::uint64_t count, bool unwritten) {
  while (count != 0) {
    if (!unwritten) {
      const std::uint64_t skipped = std::min(count, written_from(word));
      word += skipped;
      count -= skipped;
      if (count == 0) return;
    }
    const std::uint64_t lane = word % piece_words;
    const std::uint64_t here = std::min<std::uint64_t>(count, piece_words - lane);
    const std::uint64_t which = low_bits(here) << lane;
    replace(word / piece_words, which, unwritten ? which : 0);
    word += here;
    count -= here;
  }
}

std::uint64_t HbmMarks::read(std::uint64_t word, std::uint32_t count) const {
  const std::uint64_t lane = word % piece_words;
  std::uint64_t marks = piece(word / piece_words) >> lane;
  if (lane + count > piece_words) marks |= piece(word / piece_words + 1) << (piece_words - lane);
  return marks & low_bits(count);
}

void HbmMarks::write(std::uint64_t word, std::uint32_t count, std::uint64_t marks) {
  const std::uint64_t lane = word % piece_words;
  const std::uint64_t which = low_bits(count);
  replace(word / piece_words, which << lane, marks << lane);
  if (lane + count <= piece_words) return;
  const std::uint64_t shift = piece_words - lane;
  replace(word / piece_words + 1, which >> shift, marks >> shift);
}

std::uint64_t HbmMarks::written_from(std::uint64_t word) const {
  if (pages_.contains(word / page_words)) return 0;
  return page_words - word % page_words;
}

}  // namespace tandem::golden
