// Walks over the fields of a protobuf message. Never reads outside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/trace/protobuf.hpp"

namespace tandem::protobuf {

// Thrown if the bytes are not a message.
struct Malformed {
  std::size_t offset = 0;  // in the message
};

class Reader {
 public:
  explicit Reader(std::string_view message) : rest_(message), size_(message.size()) {}

  // Steps to the next field; false at the end.
  bool next() {
    if (rest_.empty()) return false;
    const std::uint64_t tag = take_varint();
    field_ = static_cast<std::uint32_t>(tag >> 3U);
    switch (tag & 7U) {
      case static_cast<unsigned>(WireType::varint): number_ = take_varint(); return true;
      case static_cast<unsigned>(WireType::fixed64): take(8); return true;
      case static_cast<unsigned>(WireType::bytes): bytes_ = take(take_varint()); return true;
      case static_cast<unsigned>(WireType::fixed32): take(4); return true;
      default: throw Malformed{offset()};
    }
  }

  [[nodiscard]] std::uint32_t field() const { return field_; }
  // Of the last field of that kind.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }
  [[nodiscard]] std::size_t offset() const { return size_ - rest_.size(); }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw Malformed{offset()};
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

  std::uint64_t take_varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(take(1)[0]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    throw Malformed{offset()};
  }

  std::string_view rest_;
  std::size_t size_;
  std::uint32_t field_ = 0;
  std::uint64_t number_ = 0;
  std::string_view bytes_;
};

}  // namespace tandem::protobuf
