// Copies that no wait has proved complete, and the accesses that are forbidden until then
// (docs/reference.md, section 5). Since the golden model completes a copy immediately, this is the
// only place that knows that a copy may still be in flight.
//
// In a group of chips the order in which chips run determines what is in flight, so each has a
// clock, too (isa/golden/group/clock.hpp): accesses of chips to one place must be ordered by their
// copies and waits. Otherwise it is a race, whichever came first here.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/golden/copy.hpp"
#include "isa/golden/finding.hpp"
#include "isa/golden/footprint.hpp"
#include "isa/golden/group/clock.hpp"
#include "isa/parameters.hpp"

namespace tandem::golden {

class RaceDetector {
 public:
  // More unproven copies than this are reported: a program that never waits.
  static constexpr std::size_t max_pending = 16384;

  RaceDetector(const Parameters& parameters, bool enabled);

  // A start: no copy is in flight.
  void start();
  // The PC of a copy that the start begins.
  static constexpr std::uint32_t before_entry = ~0U;

  // Whether a copy moves more bytes than its destination's space of `size` has, so that it
  // certainly writes some twice: a race regardless of the option, because performing it could take
  // for ever.
  static bool covers_itself(const Copy& copy, std::uint64_t size);
  static Finding self_overlap(std::uint32_t pc);

  // Fast checks; the answer "maybe" requires the full check.
  [[nodiscard]] bool idle(MemorySpace space) const { return sides_[index(space)] == 0; }
  [[nodiscard]] bool vmem_row_quiet(std::uint32_t row) const { return vmem_.counts[row] == 0; }

  // A load or store touches the word at this byte address.
  [[nodiscard]] std::optional<Finding> touch(MemorySpace space, std::uint64_t address, bool write,
                                             std::uint32_t pc) const;
  // A copy within the chip starts: checks its accesses against pending copies and itself; then it
  // is pending.
  [[nodiscard]] std::optional<Finding> start(const Copy& copy, std::uint32_t pc);

  // `flag` holds `value` with all copies complete: can a wait for `n` depend on timing?
  [[nodiscard]] std::optional<Finding> check_wait(std::uint32_t flag, std::uint32_t value,
                                                  std::uint32_t n, std::uint32_t pc) const;
  // The wait has ended: forget the copies that it proves complete.
  void wait(std::uint32_t flag, std::uint32_t value, std::uint32_t n, std::uint32_t pc);
  [[nodiscard]] std::optional<Finding> set_flag(std::uint32_t flag, std::uint32_t pc);

  // From here on the chip is one of a group, with these times; nullptr: of none. After a start.
  void join(ChipTimes* times);
  [[nodiscard]] bool in_group() const { return times_ != nullptr; }
  // In a group: a load or store has touched these bytes of VMEM.
  void touched_vmem(std::uint64_t begin, std::uint64_t end) {
    times_->vmem.touch(begin, end, times_->time());
  }
  // A copy to another chip starts: checks its reads here, and its writes and adds there.
  [[nodiscard]] std::optional<Finding> send(const Copy& copy, std::uint32_t pc,
                                            RaceDetector& receiver);

  // A copy that no wait has proved complete; for version 1, separately what the flag there and the
  // flag here prove.
  struct Pending {
    std::uint32_t pc = 0;
    std::uint32_t flag = 0;
    std::uint32_t amount = 0;
    Footprint source;
    Footprint destination;
    // In a group: the chip that started it and, if that is another one, its knowledge at the time.
    std::uint32_t chip = 0;
    std::shared_ptr<const Clock> clock = nullptr;

    template <typename A>
    void archive(A& a) {
      a(pc, flag, amount, source, destination);
    }
  };
  // In program order.
  [[nodiscard]] const std::vector<Pending>& pending() const { return pending_; }
  // The part that a snapshot shares with earlier ones (isa/golden/snapshot.hpp).
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
  [[nodiscard]] std::optional<Finding> first_conflict(const Pending& starting) const;
  void add(Pending&& pending);
  // "PC 5", in a group "PC 5 of chip 1".
  [[nodiscard]] std::string at(std::uint32_t pc, std::uint32_t chip) const;
  [[nodiscard]] std::string at(std::uint32_t pc) const { return at(pc, own_chip()); }
  [[nodiscard]] std::uint32_t own_chip() const { return times_ == nullptr ? 0 : times_->chip; }
  // Moves the copies that the wait proves complete to the end; returns the first of them.
  std::vector<Pending>::iterator part_proved(std::uint32_t flag, std::uint32_t value,
                                             std::uint32_t n);

  // In a group (races_group.cpp).
  struct Proof {
    std::vector<bool> proved;  // by place in pending_
    bool by_several = false;   // chips that may have ended it, without all their adds
  };
  [[nodiscard]] Proof proof(std::uint32_t flag, std::uint32_t value, std::uint32_t n) const;
  [[nodiscard]] std::optional<Finding> check_order(std::uint32_t flag, std::uint32_t value,
                                                   std::uint32_t n, std::uint32_t pc) const;
  void learn(std::vector<Pending>::iterator first, std::uint32_t flag, std::uint32_t pc);
  [[nodiscard]] std::optional<Finding> unordered_touch(const Pending& arriving) const;
  [[nodiscard]] std::optional<Finding> unordered_add(const Pending& arriving) const;

  bool enabled_;
  ChipTimes* times_ = nullptr;
  std::vector<Pending> pending_;
  std::vector<Pending> free_;                         // keeps capacities
  std::array<std::uint32_t, 3> sides_{};              // pending sides by space
  std::array<std::uint64_t, sync_flags> unproven_{};  // amounts of pending copies, by flag
  TouchCounts vmem_;
  TouchCounts smem_;
};

}  // namespace tandem::golden
