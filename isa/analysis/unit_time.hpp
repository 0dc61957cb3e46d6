// How long operations keep their units and their readers waiting: the numbers of isa/timing.def
// combined as the pipeline uses them (rtl/README.md). Cycles from issue to issue.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/analysis/effects.hpp"
#include "isa/timing.hpp"

namespace tandem {

// A unit that takes one operation at a time; slots, of which each bundle has one of a kind, are
// separate.
enum class Unit : std::uint8_t { none, vmem, eup, xlu, push_port, left_port };
inline constexpr std::size_t unit_count = 6;

Unit unit_of(const Effects& effects);

// For how many cycles the operation keeps its unit, including the issue cycle; masks count as full.
std::uint32_t unit_cycles(const Effects& effects, const Operation& operation);

// How many cycles after it a bundle that reads its register can issue without waiting; for a
// multiply the reader is an accumulator read.
std::uint32_t result_cycles(const Effects& effects, const Operation& operation,
                            std::uint32_t lanes);

// A push fills the buffer that a swap so many before the newest one released.
inline constexpr std::uint32_t swaps_since_release = timing::weight_buffers - 2;

// As many of the newest swaps as pushes depend on; T is a time or the number of an operation.
template <typename T>
class SwapHistory {
 public:
  void add(T swap) {
    for (std::size_t i = swaps_.size() - 1; i > 0; --i) swaps_[i] = swaps_[i - 1];
    swaps_.front() = swap;
  }
  [[nodiscard]] const std::optional<T>& newest() const { return swaps_.front(); }
  // The one that released the buffer which pushes fill now; none before there were so many.
  [[nodiscard]] const std::optional<T>& releasing() const { return swaps_.back(); }

 private:
  std::array<std::optional<T>, swaps_since_release + 1> swaps_{};
};

// How many cycles after that swap a push of the rows from `row` on can issue.
std::uint32_t push_after_release(bool transposed, std::uint32_t row, std::uint32_t lanes);

}  // namespace tandem
