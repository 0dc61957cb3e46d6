// When each word of a memory was last touched, in the chip's own time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

namespace tandem::golden {

using Time = std::uint32_t;

// A page with a single time takes one number, so that large copies cost little.
class TouchTimes {
 public:
  // Bytes, multiples of 4. Times of later calls are never lower.
  void touch(std::uint64_t begin, std::uint64_t end, Time time);
  // The first byte of [begin, end) that was touched later than this.
  [[nodiscard]] std::optional<std::uint64_t> later(std::uint64_t begin, std::uint64_t end,
                                                   Time time) const;

 private:
  static constexpr std::uint64_t page_bytes = 4096;
  using Words = std::array<Time, page_bytes / 4>;
  struct Page {
    Time last = 0;                 // the latest of all its words
    std::unique_ptr<Words> words;  // null: all at that time
  };
  std::unordered_map<std::uint64_t, Page> pages_;
};

}  // namespace tandem::golden
