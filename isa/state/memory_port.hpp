// HBM that belongs to somebody else: the memory of a platform in which a machine is embedded.
// Models that are given one keep no HBM of their own. C++17, no dependencies.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tandem {

class MemoryPort {
 public:
  virtual ~MemoryPort() = default;
  // Bytes [address, address + count), within 4 KiB. Returns false for a bus error; of a read the
  // bytes then have no meaning, of a write it is not known which bytes were written.
  virtual bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) = 0;
  virtual bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) = 0;
};

}  // namespace tandem
