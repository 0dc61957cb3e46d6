#include "isa/golden/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

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

// The bytes of one side, and whether some belong to two runs.
bool build_footprint(Footprint& footprint, const Copy& copy, const CopySide& side) {
  footprint.space = side.space;
  const BoundingBox box = bounding_box(copy, side);
  footprint.box = {static_cast<std::uint64_t>(box.begin), static_cast<std::uint64_t>(box.end)};
  if (copy.runs() > RaceDetector::max_runs) {
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

std::string place(MemorySpace space, std::uint64_t address, std::uint32_t row_bytes) {
  switch (space) {
    case MemorySpace::hbm: return fmt::format("HBM address {:#x}", address);
    case MemorySpace::vmem:
      return fmt::format("VMEM row {} lane {}", address / row_bytes, address % row_bytes / 4);
    case MemorySpace::smem: return fmt::format("SMEM word {}", address / 4);
  }
  return {};
}

Finding race(std::uint32_t pc, std::optional<std::uint32_t> origin, std::string message) {
  return {FindingKind::race, pc, origin, std::move(message)};
}

}  // namespace

bool Footprint::contains(std::uint64_t address) const {
  if (runs.empty() || address < box.begin || address >= box.end) return false;
  const auto after = std::upper_bound(
      runs.begin(), runs.end(), address,
      [](std::uint64_t wanted, const Interval& run) { return wanted < run.begin; });
  return after != runs.begin() && address < std::prev(after)->end;
}

void RaceDetector::TouchCounts::add(const Footprint& footprint, std::uint32_t change) {
  for (const Interval& run : footprint.runs) {
    const std::uint64_t last = (run.end - 1) / grain_bytes;
    for (std::uint64_t grain = run.begin / grain_bytes; grain <= last; ++grain) {
      counts[grain] += change;
    }
  }
}

RaceDetector::RaceDetector(const Parameters& parameters, bool enabled)
    : enabled_(enabled),
      vmem_{parameters.row_bytes(), std::vector<std::uint32_t>(parameters.vmem_rows())},
      smem_{4, std::vector<std::uint32_t>(parameters.smem_words())} {}

bool RaceDetector::covers_itself(const Copy& copy, std::uint64_t size) {
  if (copy.moves_nothing()) return false;
  return static_cast<unsigned __int128>(copy.runs()) * copy.length > size;
}

Finding RaceDetector::self_overlap(std::uint32_t pc) {
  return race(pc, pc, fmt::format("the copy at PC {} writes some bytes twice", pc));
}

void RaceDetector::start() {
  for (const Pending& copy : pending_) count(copy, ~0U);
  pending_.clear();
  unproven_.fill(0);
}

void RaceDetector::count(const Pending& pending, std::uint32_t change) {
  for (const Footprint* side : {&pending.source, &pending.destination}) {
    if (side->runs.empty()) continue;
    sides_[index(side->space)] += change;
    if (side->space == MemorySpace::vmem) vmem_.add(*side, change);
    if (side->space == MemorySpace::smem) smem_.add(*side, change);
  }
  unproven_[pending.flag] += std::uint64_t{pending.amount} * (change == 1 ? 1 : ~std::uint64_t{0});
}

std::optional<Finding> RaceDetector::touch(MemorySpace space, std::uint64_t address, bool write,
                                           std::uint32_t pc) const {
  if (space == MemorySpace::smem && smem_.counts[address / 4] == 0) return std::nullopt;
  for (const Pending& copy : pending_) {
    const bool written = copy.destination.space == space && copy.destination.contains(address);
    const bool read = write && copy.source.space == space && copy.source.contains(address);
    if (!written && !read) continue;
    return race(
        pc, copy.pc,
        fmt::format("PC {} {} {}, which the copy started at PC {} may still be {}: no wait "
                    "has proved it complete",
                    pc, write ? "writes" : "reads", place(space, address, vmem_.grain_bytes),
                    copy.pc, written ? "writing" : "reading"));
  }
  return std::nullopt;
}

std::optional<Finding> RaceDetector::conflict(const Pending& starting,
                                              const Pending& earlier) const {
  struct Pair {
    const Footprint& mine;
    const Footprint& theirs;
    std::string_view verbs[2];
  };
  const Pair pairs[] = {
      {starting.destination, earlier.destination, {"writes", "writing"}},
      {starting.destination, earlier.source, {"writes", "reading"}},
      {starting.source, earlier.destination, {"reads", "writing"}},
  };
  for (const Pair& pair : pairs) {
    const auto address = first_common(pair.mine, pair.theirs);
    if (!address) continue;
    const std::string where = place(pair.mine.space, *address, vmem_.grain_bytes);
    return race(starting.pc, earlier.pc,
                fmt::format("the copy at PC {} {} {}, which the copy started at PC {} may still be "
                            "{}: no wait has proved it complete",
                            starting.pc, pair.verbs[0], where, earlier.pc, pair.verbs[1]));
  }
  return std::nullopt;
}

std::optional<Finding> RaceDetector::start(const Copy& copy, std::uint32_t pc) {
  if (!enabled_) return std::nullopt;
  std::optional<Finding> found;
  Pending starting{pc, copy.flag, copy.amount, {}, {}};
  if (!copy.moves_nothing()) {
    build_footprint(starting.source, copy, copy.source);
    if (build_footprint(starting.destination, copy, copy.destination)) {
      found = self_overlap(pc);
    }
    if (const auto address = first_common(starting.source, starting.destination)) {
      const std::string where = place(copy.source.space, *address, vmem_.grain_bytes);
      found = race(pc, pc, fmt::format("the copy at PC {} both reads and writes {}", pc, where));
    }
  }
  for (const Pending& earlier : pending_) {
    if (found) break;
    found = conflict(starting, earlier);
  }
  if (!found && pending_.size() >= max_pending) {
    found = race(pc, pending_.front().pc,
                 fmt::format("PC {} starts one copy more than the {} that no wait has proved "
                             "complete; the first was started at PC {}",
                             pc, max_pending, pending_.front().pc));
  }
  // What has been read is proved by the flag here, where the copy adds to one.
  Pending reading{pc, copy.flag_here, copy.amount_here, {}, {}};
  if (copy.amount_here != 0) std::swap(reading.source, starting.source);
  for (Pending* half : {&starting, &reading}) {
    if (half->amount == 0) continue;
    count(*half, 1);
    pending_.push_back(std::move(*half));
  }
  return found;
}

std::optional<Finding> RaceDetector::check_wait(std::uint32_t flag, std::uint32_t value,
                                                std::uint32_t n, std::uint32_t pc) const {
  const auto unproven = static_cast<std::int64_t>(unproven_[flag]);
  const bool ends_satisfied = static_cast<std::int32_t>(value - n) >= 0;
  if (unproven == 0 || ends_satisfied) return std::nullopt;
  const std::int64_t sure =
      static_cast<std::int32_t>(value - static_cast<std::uint32_t>(unproven) - n);
  if (sure < 0 && sure + unproven < 0) return std::nullopt;
  return race(pc, std::nullopt,
              fmt::format("the wait at PC {} may or may not end: f{} wraps around when all copies "
                          "have added to it",
                          pc, flag));
}

void RaceDetector::wait(std::uint32_t flag, std::uint32_t value, std::uint32_t n) {
  const auto unproven = static_cast<std::int64_t>(unproven_[flag]);
  if (unproven == 0) return;
  // How far the flag is past n (or short of it, negative) for sure, and with all copies.
  const std::int64_t sure =
      static_cast<std::int32_t>(value - static_cast<std::uint32_t>(unproven) - n);
  // Copies of one flag complete in the order of their start: without this one, the flag could have
  // got as far as the older ones take it.
  std::int64_t without = sure;
  const auto keep = std::stable_partition(pending_.begin(), pending_.end(),
                                          [flag, &without](const Pending& copy) {
                                            if (copy.flag != flag) return true;
                                            const bool proven = without < 0;
                                            without += static_cast<std::int64_t>(copy.amount);
                                            return !proven;
                                          });
  for (auto copy = keep; copy != pending_.end(); ++copy) count(*copy, ~0U);
  pending_.erase(keep, pending_.end());
}

std::optional<Finding> RaceDetector::set_flag(std::uint32_t flag, std::uint32_t pc) const {
  if (unproven_[flag] == 0) return std::nullopt;
  const auto copy = std::find_if(pending_.begin(), pending_.end(),
                                 [flag](const Pending& item) { return item.flag == flag; });
  return race(pc, copy->pc,
              fmt::format("PC {} sets f{}, to which the copy started at PC {} may still add", pc,
                          flag, copy->pc));
}

}  // namespace tandem::golden
