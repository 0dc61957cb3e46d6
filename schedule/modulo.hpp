// Modulo scheduling: iterations of a loop begin every `interval` cycles.
//
// An operation at time t stands in row t mod interval of stage t / interval. The branch back stands
// in the last row of stage 0: an iteration begins only when the branch of the one before has
// decided that there is one, so nothing is ever executed that the program as written does not.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "schedule/loop_graph.hpp"

namespace tandem::schedule {

struct LoopBounds {
  std::uint32_t resources = 1;   // cycles that the busiest slot or unit needs for an iteration
  std::string_view busiest;      // its name
  std::uint32_t recurrence = 1;  // cycles that values going round need
  [[nodiscard]] std::uint32_t minimum() const { return std::max(resources, recurrence); }
};

// Computed apart from the scheduler.
LoopBounds bounds_of(const LinearBlock& block, const LoopGraph& graph);

struct ModuloSchedule {
  std::uint32_t interval = 0;
  std::vector<std::uint32_t> times;  // of each operation
  std::vector<Slot> slots;

  [[nodiscard]] std::uint32_t stages() const;
};

// A schedule of this interval, if one is found.
std::optional<ModuloSchedule> modulo_schedule(const LinearBlock& block, const LoopGraph& graph,
                                              std::uint32_t interval);

}  // namespace tandem::schedule
