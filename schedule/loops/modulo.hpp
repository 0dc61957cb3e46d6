// Modulo scheduling: iterations of a loop begin every `interval` cycles.
//
// An operation at time t is in row t mod interval of stage t / interval. The branch back is in the
// last row of its stage, which is 0, or 1 when the iteration runs `ahead`: then stage 0 has only
// operations that do no harm in an iteration that does not exist, such as advancing a counter. All
// others are after the branch of the previous iteration, so no operation with an effect is ever
// executed that the program as written does not execute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/loops/loop_graph.hpp"

namespace tandem::schedule {

// The remaining work that scheduling may spend, in edges and places looked at: a measure that is
// the same on every machine.
class Work {
 public:
  explicit Work(std::uint64_t left) : left_(left) {}
  void spend(std::uint64_t amount) { left_ -= std::min(left_, amount); }
  [[nodiscard]] bool is_spent() const { return left_ == 0; }
  [[nodiscard]] std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_;
};

struct ModuloSchedule {
  std::uint32_t interval = 0;
  std::uint32_t ahead = 0;           // stage of the branch: 0 or 1
  std::vector<std::uint32_t> times;  // of each operation
  std::vector<Slot> slots;

  [[nodiscard]] std::uint32_t stages() const;
};

// Lifetimes of values: not optimized; or operations move, once all are placed, to where lifetimes
// are shorter, for fewer registers and less slack. `fewest` counts cycles of all values together;
// `shared` shortens the longest lifetime, which is what requires copies of the kernel.
enum class Lives : std::uint8_t { any, fewest, shared };

// A schedule of this interval, if one is found before the work runs out.
std::optional<ModuloSchedule> modulo_schedule(const LinearBlock& block, const LoopGraph& graph,
                                              std::uint32_t interval, std::uint32_t ahead,
                                              Lives lives, Work& work);

}  // namespace tandem::schedule
