// HBM that belongs to others: the memory of a platform in which a machine is embedded. Models with
// a port keep no HBM of their own. C++17, no dependencies.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  // Bytes [address, address + count), within 4 KiB. Returns false for a bus error; then the bytes
  // of a read are meaningless, and it is unknown which bytes of a write were written.
  virtual bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) = 0;
  virtual bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) = 0;
};

}  // namespace tandem
