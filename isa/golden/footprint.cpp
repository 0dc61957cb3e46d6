#include "isa/golden/footprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace tandem::golden {
namespace {

// Calls visit(byte address) for every run of a side, which starts at `lowest` at least; in
// ascending order unless dimensions interleave.
template <typename Visit>
void for_each_run_upwards(const Copy& copy, const CopySide& side, std::uint64_t lowest,
                          Visit visit) {
  struct Dimension {
    std::uint64_t step;
    std::uint32_t count;
  };
  std::array<Dimension, 3> dimensions;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    dimensions[i] = {static_cast<std::uint64_t>(std::abs(std::int64_t{side.strides[i]})),
                     copy.counts[i]};
  }
  std::sort(dimensions.begin(), dimensions.end(),
            [](const Dimension& a, const Dimension& b) { return a.step > b.step; });
  const auto& [outer, middle, inner] = dimensions;
  for (std::uint32_t i = 0; i < outer.count; ++i) {
    for (std::uint32_t j = 0; j < middle.count; ++j) {
      const std::uint64_t first = lowest + i * outer.step + j * middle.step;
      for (std::uint32_t k = 0; k < inner.count; ++k) visit(first + k * inner.step);
    }
  }
}

}  // namespace

bool build_footprint(Footprint& footprint, const Copy& copy, const CopySide& side) {
  footprint.space = side.space;
  const BoundingBox box = bounding_box(copy, side);
  footprint.box = {static_cast<std::uint64_t>(box.begin), static_cast<std::uint64_t>(box.end)};
  if (copy.runs() > max_footprint_runs) {
    footprint.runs = {footprint.box};
    return false;
  }
  auto& runs = footprint.runs;
  for_each_run_upwards(copy, side, footprint.box.begin, [&runs, &copy](std::uint64_t begin) {
    if (!runs.empty() && runs.back().end == begin) {
      runs.back().end += copy.length;
    } else {
      runs.push_back({begin, begin + copy.length});
    }
  });
  const auto by_begin = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::is_sorted(runs.begin(), runs.end(), by_begin)) {
    std::sort(runs.begin(), runs.end(), by_begin);
  }
  bool overlaps = false;
  std::size_t last = 0;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    overlaps = overlaps || runs[i].begin < runs[last].end;
    if (runs[i].begin <= runs[last].end) {
      runs[last].end = std::max(runs[last].end, runs[i].end);
    } else {
      runs[++last] = runs[i];
    }
  }
  runs.resize(last + 1);
  return overlaps;
}

std::optional<std::uint64_t> first_common(const Footprint& a, const Footprint& b) {
  if (a.runs.empty() || b.runs.empty() || a.space != b.space) return std::nullopt;
  if (a.box.end <= b.box.begin || b.box.end <= a.box.begin) return std::nullopt;
  auto left = a.runs.begin();
  auto right = b.runs.begin();
  while (left != a.runs.end() && right != b.runs.end()) {
    if (left->end <= right->begin) {
      ++left;
    } else if (right->end <= left->begin) {
      ++right;
    } else {
      return std::max(left->begin, right->begin);
    }
  }
  return std::nullopt;
}

std::string byte_text(MemorySpace space, std::uint64_t address, std::uint32_t row_bytes) {
  switch (space) {
    case MemorySpace::hbm: return fmt::format("HBM address {:#x}", address);
    case MemorySpace::vmem:
      return fmt::format("VMEM row {} lane {}", address / row_bytes, address % row_bytes / 4);
    case MemorySpace::smem: return fmt::format("SMEM word {}", address / 4);
  }
  return {};
}

bool Footprint::contains(std::uint64_t address) const {
  if (runs.empty() || address < box.begin || address >= box.end) return false;
  const auto after = std::upper_bound(
      runs.begin(), runs.end(), address,
      [](std::uint64_t wanted, const Interval& run) { return wanted < run.begin; });
  return after != runs.begin() && address < std::prev(after)->end;
}

}  // namespace tandem::golden
