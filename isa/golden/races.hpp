// Copies that no wait has proved complete, and what must not touch them until then
// (docs/reference.md, section 5). Since the golden model completes a copy at once, this is the only
// place that knows a copy may still be under way.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/golden/copy.hpp"
#include "isa/golden/finding.hpp"
#include "isa/parameters.hpp"

namespace tandem::golden {

// Bytes [begin, end).
struct Interval {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// The bytes of one side of a copy: sorted, disjoint intervals.
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

class RaceDetector {
 public:
  // More unproven copies than this are reported: a program that never waits.
  static constexpr std::size_t max_pending = 16384;
  // Copies of more runs are taken to touch their whole bounding box.
  static constexpr std::uint64_t max_runs = 1U << 20U;

  RaceDetector(const Parameters& parameters, bool enabled);

  // A start: no copy is under way.
  void start();

  // Whether a copy moves more bytes than its destination's space of `size` has, so that it surely
  // writes some twice: a race whatever the switch says, because performing it could take for ever.
  static bool covers_itself(const Copy& copy, std::uint64_t size);
  static Finding self_overlap(std::uint32_t pc);

  // Fast questions; the answer "maybe" asks for the full one.
  [[nodiscard]] bool idle(MemorySpace space) const { return sides_[index(space)] == 0; }
  [[nodiscard]] bool vmem_row_quiet(std::uint32_t row) const { return vmem_.counts[row] == 0; }

  // A load or store touches the word at this byte address.
  [[nodiscard]] std::optional<Finding> touch(MemorySpace space, std::uint64_t address, bool write,
                                             std::uint32_t pc) const;
  // A copy starts: its touches of what is pending and of itself; then it is pending.
  [[nodiscard]] std::optional<Finding> start(const Copy& copy, std::uint32_t pc);

  // `flag` holds `value` with all copies complete: can a wait for `n` depend on timing?
  [[nodiscard]] std::optional<Finding> check_wait(std::uint32_t flag, std::uint32_t value,
                                                  std::uint32_t n, std::uint32_t pc) const;
  // The wait has ended: forget the copies that it proves complete.
  void wait(std::uint32_t flag, std::uint32_t value, std::uint32_t n);
  [[nodiscard]] std::optional<Finding> set_flag(std::uint32_t flag, std::uint32_t pc) const;

  // A copy that no wait has proved complete; of version 1 what the flag there proves and what the
  // flag here does.
  struct Pending {
    std::uint32_t pc = 0;
    std::uint32_t flag = 0;
    std::uint32_t amount = 0;
    Footprint source;
    Footprint destination;

    template <typename A>
    void archive(A& a) {
      a(pc, flag, amount, source, destination);
    }
  };
  // In program order.
  [[nodiscard]] const std::vector<Pending>& pending() const { return pending_; }
  // What a snapshot shares with earlier ones (isa/golden/snapshot.hpp).
  [[nodiscard]] auto large_arrays() { return std::tie(vmem_.counts, smem_.counts); }
  template <typename A>
  void archive(A& a) {
    a(pending_, sides_, unproven_, fixed(vmem_.counts), fixed(smem_.counts));
  }

 private:
  // How many pending sides touch each grain (a VMEM row, an SMEM word).
  struct TouchCounts {
    std::uint32_t grain_bytes = 4;
    std::vector<std::uint32_t> counts;
    void add(const Footprint& footprint, std::uint32_t change);  // 1 or -1
  };

  static constexpr std::size_t index(MemorySpace space) { return static_cast<std::size_t>(space); }
  void count(const Pending& pending, std::uint32_t change);  // 1 or -1
  [[nodiscard]] std::optional<Finding> conflict(const Pending& starting,
                                                const Pending& earlier) const;

  bool enabled_;
  std::vector<Pending> pending_;
  std::vector<Pending> free_;                         // keeps capacities
  std::array<std::uint32_t, 3> sides_{};              // pending sides by space
  std::array<std::uint64_t, sync_flags> unproven_{};  // amounts of pending copies, by flag
  TouchCounts vmem_;
  TouchCounts smem_;
};

}  // namespace tandem::golden
