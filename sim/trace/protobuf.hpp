// The protobuf wire format, as far as traces need it: fields appended to a string of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::protobuf {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

inline constexpr std::size_t longest_varint = 10;

// Writes to a place with room for it; returns the place after it.
inline char* write_varint(char* at, std::uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<char>(value | 0x80U);
    value >>= 7U;
  }
  *at++ = static_cast<char>(value);
  return at;
}

inline void put_varint(std::string& out, std::uint64_t value) {
  char bytes[longest_varint];
  out.append(bytes, static_cast<std::size_t>(write_varint(bytes, value) - bytes));
}

constexpr std::size_t varint_size(std::uint64_t value) {
  std::size_t size = 1;
  while (value >= 0x80) {
    value >>= 7U;
    ++size;
  }
  return size;
}

inline void put_tag(std::string& out, std::uint32_t field, WireType type) {
  put_varint(out, std::uint64_t{field} << 3U | static_cast<std::uint8_t>(type));
}

// A field of any integer, enum or bool type that is not fixed and not zigzag.
inline void put_number(std::string& out, std::uint32_t field, std::uint64_t value) {
  put_tag(out, field, WireType::varint);
  put_varint(out, value);
}

inline void put_fixed64(std::string& out, std::uint32_t field, std::uint64_t value) {
  put_tag(out, field, WireType::fixed64);
  for (unsigned shift = 0; shift < 64; shift += 8) {
    out.push_back(static_cast<char>(value >> shift));
  }
}

// A string or a message that is already encoded.
inline void put_bytes(std::string& out, std::uint32_t field, std::string_view bytes) {
  put_tag(out, field, WireType::bytes);
  put_varint(out, bytes.size());
  out.append(bytes);
}

}  // namespace tandem::protobuf
