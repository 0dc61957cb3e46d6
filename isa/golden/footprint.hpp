// The bytes that one side of a copy touches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/golden/copy.hpp"

namespace tandem::golden {

// Copies with more runs are assumed to touch their whole bounding box.
inline constexpr std::uint64_t max_footprint_runs = 1U << 20U;

// Bytes [begin, end).
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// Sorted, disjoint intervals.
struct Footprint {
  MemorySpace space = MemorySpace::hbm;
  Interval box;
  std::vector<Interval> runs;

  template <typename A>
  void archive(A& a) {
    a(space, box, runs);
  }
  [[nodiscard]] bool contains(std::uint64_t address) const;
};

// Fills it with a side of a copy that moves something; whether some bytes belong to two runs.
bool build_footprint(Footprint& footprint, const Copy& copy, const CopySide& side);
// The first byte of both.
std::optional<std::uint64_t> first_common(const Footprint& a, const Footprint& b);
// "HBM address 0x1000", "VMEM row 3 lane 0", "SMEM word 5": a byte address.
std::string byte_text(MemorySpace space, std::uint64_t address, std::uint32_t row_bytes);

}  // namespace tandem::golden
