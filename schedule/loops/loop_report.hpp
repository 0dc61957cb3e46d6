// What scheduling has to say about a loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::schedule {

struct LoopBounds {
  std::uint32_t resources = 1;   // cycles that the busiest slot or unit needs for an iteration
  std::string_view busiest;      // its name
  std::uint32_t recurrence = 1;  // cycles that values going round need
  [[nodiscard]] std::uint32_t minimum() const { return std::max(resources, recurrence); }
};

// What became of one loop.
struct LoopReport {
  std::uint32_t tag = 0;  // of the branch back
  bool pipelined = false;
  std::uint32_t interval = 0;  // cycles from iteration to iteration
  LoopBounds bounds;
  std::uint32_t stages = 0;
  std::uint32_t unrolled = 0;
  std::uint32_t bundles = 0;
  std::string reason;  // why it is not pipelined
};

// "interval 8 of at least 8 (EUP), 3 stages, unrolled 3 times, 41 bundles", or why not.
std::string loop_text(const LoopReport& report);

}  // namespace tandem::schedule
