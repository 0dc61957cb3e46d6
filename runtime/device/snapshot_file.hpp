// The file of a snapshot: its identity, its state, and a checksum over both. All numbers are
// little-endian.
//
//   offset  0  "TANDEMSN"
//           8  u32  format, snapshot_format
//          12  u32  checksum: CRC-32 of all other bytes
//          16  u64  bytes of the file
//          24  identity: u64 count, then pairs of texts (u64 bytes, the bytes)
//              state: to the end (isa/archive/archive.hpp)
//
// Only the same build can use the state, so the identity names the build. A checksum finds damage,
// not malice: a forged file restores whatever its author wants.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/archive/archive.hpp"

namespace tandem::runtime {

inline constexpr std::uint32_t snapshot_format = 1;

// The data that must be the same where a snapshot is restored: "preset", "nano".
struct IdentityEntry {
  std::string what;
  std::string value;

  template <typename A>
  void archive(A& a) {
    a(what, value);
  }
};
using Identity = std::vector<IdentityEntry>;

// The file without its state, to be appended; then seal_snapshot() completes the header.
std::vector<std::uint8_t> begin_snapshot(Identity identity);
void seal_snapshot(std::vector<std::uint8_t>& file);

// The state in the file. Throws SnapshotError with the reason when the file is damaged, or the
// first unexpected entry of its identity.
std::span<const std::uint8_t> open_snapshot(std::span<const std::uint8_t> file,
                                            const Identity& expected);

}  // namespace tandem::runtime
