// Deflate for traces: gets the known repeats and searches only the rest, first at the distance of
// the last match and never inside a match. General compressors spend most of their time preparing
// for matches that begin inside others.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tandem::trace {

// Bytes equal to those `distance` before them.
struct Repeat {
  std::size_t at = 0;
  std::size_t length = 0;
  std::size_t distance = 0;
};

class Deflater {
 public:
  // A zlib stream (RFC 1950) of these bytes, valid until the next call. Repeats are in order, do
  // not overlap, and are at least 3 bytes long and at most `window` away; there may be others.
  std::string_view compress(std::string_view bytes, std::span<const Repeat> repeats);

  static constexpr std::size_t window = 32768;

 private:
  static constexpr unsigned hash_bits = 14;

  std::array<std::uint32_t, std::size_t{1} << hash_bits> heads_{};  // position + 1 of a hash
  std::string buffer_;  // only grows, since clearing it repeatedly would cost time
};

}  // namespace tandem::trace
