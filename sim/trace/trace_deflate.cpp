#include "sim/trace/trace_deflate.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace tandem::trace {
namespace {

// RFC 1951, 3.2.5 and 3.2.6: one block with the fixed codes.
constexpr std::size_t shortest_match = 6;  // shorter ones save next to nothing
constexpr std::size_t longest_match = 258;
constexpr std::size_t shortest_length = 3;  // that a code exists for
constexpr std::uint32_t end_of_block = 256;
constexpr std::uint32_t first_length_symbol = 257;
constexpr unsigned distance_code_bits = 5;

struct Code {
  std::uint32_t bits = 0;
  unsigned count = 0;
};

// Huffman codes are sent from their highest bit on, everything else from its lowest.
constexpr std::uint32_t reversed(std::uint32_t bits, unsigned count) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < count; ++i) result |= ((bits >> i) & 1U) << (count - 1 - i);
  return result;
}

constexpr Code symbol_code(std::uint32_t symbol) {
  if (symbol < 144) return {reversed(0x30 + symbol, 8), 8};
  if (symbol < 256) return {reversed(0x190 + symbol - 144, 9), 9};
  if (symbol < 280) return {reversed(symbol - 256, 7), 7};
  return {reversed(0xc0 + symbol - 280, 8), 8};
}

constexpr auto literal_codes = [] {
  std::array<Code, 256> codes{};
  for (std::uint32_t i = 0; i < codes.size(); ++i) codes[i] = symbol_code(i);
  return codes;
}();

// The code of a length followed by its extra bits.
constexpr Code length_code(std::uint32_t length) {
  if (length == longest_match) return symbol_code(285);
  const std::uint32_t value = length - 3;
  const unsigned extra = value < 8 ? 0 : static_cast<unsigned>(std::bit_width(value)) - 3;
  const std::uint32_t symbol = first_length_symbol + (extra << 2U) + (value >> extra);
  const Code code = symbol_code(symbol);
  const std::uint32_t rest = value & ((1U << extra) - 1);
  return {code.bits | rest << code.count, code.count + extra};
}

constexpr auto length_codes = [] {
  std::array<Code, longest_match + 1> codes{};
  for (std::uint32_t i = 3; i < codes.size(); ++i) codes[i] = length_code(i);
  return codes;
}();

constexpr Code distance_code(std::uint32_t distance) {
  const std::uint32_t value = distance - 1;
  const unsigned extra = value < 4 ? 0 : static_cast<unsigned>(std::bit_width(value)) - 2;
  const std::uint32_t symbol = (extra << 1U) + (value >> extra);
  const std::uint32_t rest = value & ((1U << extra) - 1);
  return {reversed(symbol, distance_code_bits) | rest << distance_code_bits,
          distance_code_bits + extra};
}

class BitWriter {
 public:
  explicit BitWriter(char* at) : at_(at) {}

  void put(const Code& code) {
    held_ |= std::uint64_t{code.bits} << count_;
    count_ += code.count;
    if (count_ < 32) return;
    std::memcpy(at_, &held_, 4);
    at_ += 4;
    held_ >>= 32U;
    count_ -= 32;
  }
  char* finish() {
    for (; count_ > 0; count_ -= std::min(count_, 8U)) {
      *at_++ = static_cast<char>(held_);
      held_ >>= 8U;
    }
    return at_;
  }

 private:
  static_assert(std::endian::native == std::endian::little);
  char* at_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
};

std::uint64_t load(const char* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// Of the first `shortest_match` bytes.
constexpr std::uint64_t match_mask = (std::uint64_t{1} << (8 * shortest_match)) - 1;

bool begins_match(const char* a, const char* b) { return ((load(a) ^ load(b)) & match_mask) == 0; }

// Equal bytes of two places, at most `most`.
std::size_t match_length(const char* a, const char* b, std::size_t most) {
  std::size_t length = 0;
  while (length + 8 <= most) {
    const std::uint64_t difference = load(a + length) ^ load(b + length);
    if (difference != 0) {
      return length + static_cast<std::size_t>(std::countr_zero(difference)) / 8;
    }
    length += 8;
  }
  while (length < most && a[length] == b[length]) ++length;
  return length;
}

// Literals take at most 9 bits; plus header, end of block and checksum.
std::size_t largest_size(std::size_t bytes) { return bytes + bytes / 8 + 32; }

// The codes of a text, part after part.
class Searcher {
 public:
  Searcher(std::span<std::uint32_t> heads, const char* text, BitWriter bits)
      : heads_(heads), shift_(64 - std::bit_width(heads.size() - 1)), text_(text), bits_(bits) {}

  BitWriter& bits() { return bits_; }

  // Bytes about which nothing is known.
  void search(std::size_t at, std::size_t end) {
    while (at + sizeof(std::uint64_t) <= end) at += find(at) ? put_match(at, end) : put_literal(at);
    while (at < end) at += put_literal(at);
  }

  void repeat(const Repeat& repeat) {
    distance_ = repeat.distance;
    const Code distance = distance_code(static_cast<std::uint32_t>(distance_));
    std::size_t left = repeat.length;
    while (left != 0) {
      std::size_t length = std::min(left, longest_match);
      const std::size_t rest = left - length;
      if (rest != 0 && rest < shortest_length) length -= shortest_length;
      bits_.put(length_codes[length]);
      bits_.put(distance);
      left -= length;
    }
  }

 private:
  std::uint32_t& head(std::size_t at) {
    return heads_[(load(text_ + at) & match_mask) * 0x9e3779b97f4a7c15ULL >> shift_];
  }

  // Whether a match begins here, at distance_.
  bool find(std::size_t at) {
    const std::size_t head = std::exchange(this->head(at), static_cast<std::uint32_t>(at + 1));
    if (distance_ != 0 && begins_match(text_ + at, text_ + at - distance_)) return true;
    if (head == 0 || at + 1 - head > Deflater::window) return false;
    if (!begins_match(text_ + at, text_ + head - 1)) return false;
    distance_ = at + 1 - head;
    return true;
  }

  std::size_t put_match(std::size_t at, std::size_t end) {
    const std::size_t length =
        match_length(text_ + at, text_ + at - distance_, std::min(longest_match, end - at));
    bits_.put(length_codes[length]);
    bits_.put(distance_code(static_cast<std::uint32_t>(distance_)));
    return length;
  }

  std::size_t put_literal(std::size_t at) {
    bits_.put(literal_codes[static_cast<std::uint8_t>(text_[at])]);
    return 1;
  }

  std::span<std::uint32_t> heads_;  // position + 1 of a hash
  int shift_;
  const char* text_;
  BitWriter bits_;
  std::size_t distance_ = 0;  // of the last match
};

char* put_check_sum(char* at, std::string_view bytes) {
  const std::uint32_t sum = libdeflate_adler32(1, bytes.data(), bytes.size());
  for (int shift = 24; shift >= 0; shift -= 8) *at++ = static_cast<char>(sum >> shift);
  return at;
}

}  // namespace

std::string_view Deflater::compress(std::string_view bytes, std::span<const Repeat> repeats) {
  heads_.fill(0);
  buffer_.resize(std::max(buffer_.size(), largest_size(bytes.size())));
  char* start = buffer_.data();
  *start++ = 0x78;  // deflate with a window of 32 KB
  *start++ = 0x01;
  Searcher searcher(heads_, bytes.data(), BitWriter(start));
  searcher.bits().put({0b011, 3});  // the last block, with fixed codes
  std::size_t at = 0;
  for (const Repeat& repeat : repeats) {
    searcher.search(at, repeat.at);
    searcher.repeat(repeat);
    at = repeat.at + repeat.length;
  }
  searcher.search(at, bytes.size());
  searcher.bits().put(symbol_code(end_of_block));
  const char* end = put_check_sum(searcher.bits().finish(), bytes);
  return std::string_view(buffer_).substr(0, static_cast<std::size_t>(end - buffer_.data()));
}

}  // namespace tandem::trace
