// Reading untrusted bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace tandem::assembly {

// Thrown inside the ELF reader only; read_elf() turns it into a result.
struct ElfTrouble {
  std::string message;
  std::uint64_t offset;  // in the file
};

// A stretch of the file; every access is checked against its end.
class ElfBytes {
 public:
  ElfBytes() = default;
  ElfBytes(std::span<const std::uint8_t> bytes, std::uint64_t offset_in_file, std::string name)
      : bytes_(bytes), base_(offset_in_file), name_(std::move(name)) {}

  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  [[nodiscard]] std::uint64_t base() const { return base_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

  [[noreturn]] void fail(std::uint64_t offset, const std::string& message) const {
    throw ElfTrouble{name_ + ": " + message, base_ + offset};
  }

  [[nodiscard]] ElfBytes part(std::uint64_t offset, std::uint64_t size, std::string name) const {
    check(offset, size);
    return {bytes_.subspan(offset, size), base_ + offset, std::move(name)};
  }

  template <typename T>
  [[nodiscard]] T get(std::uint64_t offset) const {
    check(offset, sizeof(T));
    T item;
    std::memcpy(&item, bytes_.data() + offset, sizeof(T));
    return item;
  }

  // The text from `offset` to its zero byte.
  [[nodiscard]] std::string_view string(std::uint64_t offset) const {
    check(offset, 1);
    const auto* first = reinterpret_cast<const char*>(bytes_.data()) + offset;
    const void* zero = std::memchr(first, 0, bytes_.size() - offset);
    if (zero == nullptr) fail(offset, "a text without its end");
    return {first, static_cast<std::size_t>(static_cast<const char*>(zero) - first)};
  }

 private:
  void check(std::uint64_t offset, std::uint64_t size) const {
    if (offset <= bytes_.size() && size <= bytes_.size() - offset) return;
    throw ElfTrouble{name_ + " ends too early", base_ + bytes_.size()};
  }

  std::span<const std::uint8_t> bytes_;
  std::uint64_t base_ = 0;
  std::string name_ = "file";
};

}  // namespace tandem::assembly
