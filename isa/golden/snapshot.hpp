// A golden model at one moment, to be restored later. Large arrays are kept in chunks, shared with
// an earlier snapshot where they are equal, and HBM shares its pages: many snapshots of one run
// cost only the changes between them. The model itself works on plain arrays and pays nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isa/golden/core.hpp"

namespace tandem::golden {

// The bytes of an array at one moment.
class FrozenArray {
 public:
  static constexpr std::size_t chunk_bytes = 4096;

  // `earlier`, if any, is of an array of the same size.
  FrozenArray(std::span<const std::byte> live, const FrozenArray* earlier);
  void thaw(std::span<std::byte> live) const;
  // Bytes of the chunks that are not shared with the other array.
  [[nodiscard]] std::uint64_t bytes_beyond(const FrozenArray& other) const;

 private:
  using Chunk = std::vector<std::byte>;
  std::vector<std::shared_ptr<const Chunk>> chunks_;
};

class Snapshot {
 public:
  Snapshot(Core& core, RunStatus status, const Snapshot* earlier);
  // Restores the core and returns its status.
  RunStatus restore(Core& core) const;

  [[nodiscard]] std::uint64_t bundles() const { return rest_.bundles; }
  // Host memory, in bytes, that this snapshot takes in addition to another one.
  [[nodiscard]] std::uint64_t bytes_beyond(const Snapshot& other) const;

 private:
  std::vector<FrozenArray> arrays_;
  Core rest_;  // without the large arrays
  RunStatus status_;
};

}  // namespace tandem::golden
