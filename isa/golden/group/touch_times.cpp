#include "isa/golden/group/touch_times.hpp"

#include <algorithm>

namespace tandem::golden {

void TouchTimes::touch(std::uint64_t begin, std::uint64_t end, Time time) {
  while (begin < end) {
    const std::uint64_t first = begin % page_bytes;
    const std::uint64_t bytes = std::min(end - begin, page_bytes - first);
    Page& page = pages_[begin / page_bytes];
    begin += bytes;
    if (page.last == time && !page.words) continue;
    if (bytes == page_bytes) {
      page = {time, nullptr};
      continue;
    }
    if (!page.words) {
      page.words = std::make_unique<Words>();
      page.words->fill(page.last);
    }
    page.last = time;
    std::fill_n(page.words->begin() + static_cast<std::ptrdiff_t>(first / 4), bytes / 4, time);
  }
}

std::optional<std::uint64_t> TouchTimes::later(std::uint64_t begin, std::uint64_t end,
                                               Time time) const {
  while (begin < end) {
    const std::uint64_t first = begin % page_bytes;
    const std::uint64_t bytes = std::min(end - begin, page_bytes - first);
    const auto found = pages_.find(begin / page_bytes);
    if (found != pages_.end() && found->second.last > time) {
      const Page& page = found->second;
      if (!page.words) return begin;
      const auto* const from = page.words->begin() + first / 4;
      const auto* const to = from + bytes / 4;
      const auto* const touched = std::find_if(from, to, [time](Time word) { return word > time; });
      if (touched != to) return begin + static_cast<std::uint64_t>(touched - from) * 4;
    }
    begin += bytes;
  }
  return std::nullopt;
}

}  // namespace tandem::golden
