// The scheduler's report on a loop.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/analysis/effects.hpp"

namespace tandem::schedule {

inline constexpr std::uint32_t no_tag = ~0U;

struct LoopBounds {
  std::uint32_t resources = 1;   // cycles that the busiest slot or unit needs for an iteration
  std::string_view busiest;      // its name
  std::uint32_t recurrence = 1;  // cycles that recurrences need
  [[nodiscard]] std::uint32_t minimum() const { return std::max(resources, recurrence); }
  [[nodiscard]] bool is_known() const { return !busiest.empty(); }
  [[nodiscard]] bool by_recurrence() const { return recurrence > resources; }
};

// The result for one loop: everything from a label up to a branch back to it.
struct LoopReport {
  std::uint32_t tag = no_tag;   // of the branch back
  std::uint32_t head = no_tag;  // of the operation that it goes to
  bool pipelined = false;
  std::uint32_t interval = 0;  // cycles from iteration to iteration, of a pipeline
  LoopBounds bounds;
  // Tags of the operations that keep the interval from being shorter, if a recurrence does.
  std::vector<std::uint32_t> round;
  std::uint32_t stages = 0;
  std::uint32_t unrolled = 0;
  std::uint32_t first_bundle = 0;
  std::uint32_t bundles = 0;
  std::array<std::uint32_t, file_count> registers{};  // how many of each file its bundles name
  std::string reason;                                 // why it is not pipelined
  std::uint32_t culprit = no_tag;                     // tag of the operation that the reason names
};

// Where an operation is, for people: "line 31".
using TagText = std::function<std::string(std::uint32_t tag)>;

// "interval 8 of at least 8 (EUP), 3 stages, unrolled 3, 41 bundles, registers 4 s 1 p 20 v", or
// "not pipelined: a copy or a flag (line 31)".
std::string loop_text(const LoopReport& report, const TagText& place);

}  // namespace tandem::schedule
