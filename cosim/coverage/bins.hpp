// The bins of coverage: crosses of the instruction table, enumerated from it. A bin has a number, a
// name that describes the event ("operand/vadd.f32 x form lo"), and belongs to the group in front
// of its name. An unreachable bin has a reason (unreachable.hpp); combinations that cannot be
// encoded, such as a constant for an operand that takes none, are not bins.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/trap.hpp"

namespace tandem {

inline constexpr std::uint32_t no_bin = ~0U;
inline constexpr std::uint32_t operand_classes = 8;
inline constexpr std::uint32_t hazard_distances = 12;  // bundles; longer than any fixed latency
inline constexpr std::uint32_t float_classes = 5;      // zero, subnormal, normal, infinite, NaN
inline constexpr std::uint32_t latency_classes = static_cast<std::uint32_t>(Latency::wait) + 1;

// How many copies are outstanding: none, one, more, as many as the queue holds and more; or one of
// them completes in this very cycle.
enum class CopyState : std::uint8_t { none, one, several, many, completion };
inline constexpr std::uint32_t copy_states = 5;

// Which of the classes of its kind an operand's value is in; names them.
std::uint32_t operand_class(const Operand& operand, const OperandValue& value);
std::string_view operand_class_name(const Operand& operand, std::uint32_t number);  // "": no such

std::uint32_t float_class(std::uint32_t bits);
// Whether an operation takes its vector sources as fp32.
bool takes_floats(const Instruction& row);

class BinTable {
 public:
  BinTable();

  [[nodiscard]] std::size_t size() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t bin) const { return names_[bin]; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  // Why it is unreachable; "" if it is reachable.
  [[nodiscard]] std::string_view unreachable(std::size_t bin) const { return unreachable_[bin]; }

  // Numbers of bins, or no_bin.
  [[nodiscard]] std::uint32_t operand(Op op, std::size_t place, std::uint32_t number) const {
    return operands_[index(op)][place][number];
  }
  // The predicate of an operation in a slot, and whether it held.
  [[nodiscard]] std::uint32_t predicate(std::size_t slot, std::uint32_t number, bool negate,
                                        bool holds) const {
    return predicates_[slot][(number * 2 + (negate ? 1 : 0)) * 2 + (holds ? 1 : 0)];
  }
  [[nodiscard]] std::uint32_t pair(std::size_t first, std::size_t second) const {
    return pairs_[first][second];
  }
  // A register read this many bundles after its write.
  [[nodiscard]] std::uint32_t hazard(Latency from, std::size_t slot, std::uint64_t distance) const {
    return distance > hazard_distances ? no_bin
                                       : hazards_[static_cast<std::size_t>(from)][slot][distance];
  }
  [[nodiscard]] std::uint32_t floats(Op op, std::uint32_t x, std::uint32_t y) const {
    return floats_[index(op)][x][y];
  }
  [[nodiscard]] std::uint32_t trap(TrapCause cause, Slot slot) const {
    return traps_[static_cast<std::size_t>(cause)][static_cast<std::size_t>(slot)];
  }
  [[nodiscard]] std::uint32_t stall(StallCause cause, std::size_t slot) const {
    return stalls_[static_cast<std::size_t>(cause)][slot];
  }

  // An operation that issues while copies are outstanding.
  [[nodiscard]] std::uint32_t copies(Op op, CopyState state) const {
    return copies_[index(op)][static_cast<std::size_t>(state)];
  }

 private:
  static std::size_t index(Op op) { return static_cast<std::size_t>(op); }
  std::uint32_t add(std::string name, std::string_view unreachable = "");
  void add_operands();
  void add_predicates();
  void add_pairs();
  void add_hazards();
  void add_floats();
  void add_traps();
  void add_stalls();
  void add_copies();

  using SlotBins = std::array<std::uint32_t, slot_count>;
  std::vector<std::string> names_;
  std::vector<std::string_view> unreachable_;
  std::vector<std::array<std::array<std::uint32_t, operand_classes>, max_operands>> operands_;
  std::array<std::array<std::uint32_t, 32>, slot_count> predicates_{};
  std::array<SlotBins, slot_count> pairs_{};
  std::array<std::array<std::array<std::uint32_t, hazard_distances + 1>, slot_count>,
             latency_classes>
      hazards_{};
  std::vector<std::array<std::array<std::uint32_t, float_classes>, float_classes>> floats_;
  std::array<SlotBins, 16> traps_{};
  std::array<SlotBins, 32> stalls_{};
  std::vector<std::array<std::uint32_t, copy_states>> copies_;
};

const BinTable& bin_table();

// "operand" of "operand/vadd.f32 x form lo".
std::string_view group_of(std::string_view name);

}  // namespace tandem
