// Checksum and size of concatenated data, by which snapshots distinguish programs and inputs.
#pragma once

#include <cstdint>
#include <string>

namespace tandem::runtime {

class Digest {
 public:
  void add(const void* data, std::size_t bytes);
  void add(std::uint64_t number) { add(&number, sizeof number); }
  // "CRC-32 in hexadecimal/bytes".
  [[nodiscard]] std::string text() const;

 private:
  std::uint32_t sum_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace tandem::runtime
