// Deflate for traces: finds what repeats at the distance of the last match first, and never looks
// inside a match, so a loop costs little more than comparing its bytes. The general compressors
// spend most of their time preparing for matches that begin inside of others.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::trace {

class Deflater {
 public:
  // Replaces `out` by a zlib stream (RFC 1950) of these bytes.
  void compress(std::string_view bytes, std::string& out);

 private:
  static constexpr unsigned hash_bits = 14;

  std::array<std::uint32_t, std::size_t{1} << hash_bits> heads_{};  // position + 1 of a hash
};

}  // namespace tandem::trace
