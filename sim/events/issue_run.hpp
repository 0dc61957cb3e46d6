// Many issues together, with the cycles lost between them: eight bytes per bundle, where the events
// take 48 and 24. Where only bundles determine timing, each iteration of a loop gives the same
// words.
#pragma once

#include <cstdint>
#include <span>

#include "isa/state/trap.hpp"
#include "sim/events/counter_values.hpp"

namespace tandem {

// A bundle that issues, after cycles lost for one cause; or such cycles alone. From bit 0 on: pc
// (32), enabled slots (9), cause (5), cycles lost (17); or cycles lost (58), cause (5), 1.
class IssueWord {
 public:
  static constexpr std::uint64_t most_lost_before = (std::uint64_t{1} << 17U) - 1;

  constexpr IssueWord() = default;

  // `lost` at most most_lost_before; 0 needs no cause.
  static constexpr IssueWord bundle(std::uint32_t pc, std::uint16_t enabled, std::uint64_t lost = 0,
                                    StallCause cause = {}) {
    const std::uint64_t before =
        lost == 0 ? 0 : lost << lost_shift | static_cast<std::uint64_t>(cause) << cause_shift;
    return IssueWord(before | std::uint64_t{enabled} << enabled_shift | pc);
  }
  static constexpr IssueWord loss(std::uint64_t lost, StallCause cause) {
    return IssueWord(alone | static_cast<std::uint64_t>(cause) << alone_cause_shift | lost);
  }

  [[nodiscard]] constexpr bool is_bundle() const { return (bits_ & alone) == 0; }
  [[nodiscard]] constexpr std::uint64_t lost() const {
    return is_bundle() ? bits_ >> lost_shift : bits_ & alone_lost_mask;
  }
  // All cycles that it covers.
  [[nodiscard]] constexpr std::uint64_t cycles() const { return lost() + (is_bundle() ? 1 : 0); }
  // Of the cycles lost, if any.
  [[nodiscard]] constexpr StallCause cause() const {
    return static_cast<StallCause>(bits_ >> (is_bundle() ? cause_shift : alone_cause_shift) &
                                   cause_mask);
  }
  // Of a bundle.
  [[nodiscard]] constexpr std::uint32_t pc() const { return static_cast<std::uint32_t>(bits_); }
  [[nodiscard]] constexpr std::uint16_t enabled() const {
    return static_cast<std::uint16_t>(bits_ >> enabled_shift & enabled_mask);
  }
  [[nodiscard]] constexpr std::uint64_t bits() const { return bits_; }

  bool operator==(const IssueWord&) const = default;

 private:
  static constexpr unsigned enabled_shift = 32;
  static constexpr unsigned cause_shift = enabled_shift + slot_count;
  static constexpr unsigned cause_bits = 5;
  static constexpr unsigned lost_shift = cause_shift + cause_bits;
  static constexpr unsigned alone_cause_shift = 63 - cause_bits;
  static constexpr std::uint64_t alone = std::uint64_t{1} << 63U;
  static constexpr std::uint64_t alone_lost_mask = (std::uint64_t{1} << alone_cause_shift) - 1;
  static constexpr std::uint64_t enabled_mask = (1U << slot_count) - 1;
  static constexpr std::uint64_t cause_mask = (1U << cause_bits) - 1;
  static_assert(cause_count <= 1U << cause_bits && lost_shift + 17 == 63);

  explicit constexpr IssueWord(std::uint64_t bits) : bits_(bits) {}

  std::uint64_t bits_ = 0;
};

// Adjacent cycles, each lost or a bundle's.
struct IssueRun {
  std::uint64_t cycle = 0;     // the first
  std::uint64_t end = 0;       // after the last; a trap takes none
  std::uint64_t sequence = 0;  // of the first bundle
  std::uint32_t next_pc = 0;   // after the last bundle
  bool halted = false;         // by the last bundle
  Trap trap{};                 // of the last bundle, which is then the last word
  std::span<const IssueWord> words;
};

}  // namespace tandem
