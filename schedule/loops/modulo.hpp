// Modulo scheduling: iterations of a loop begin every `interval` cycles.
//
// An operation at time t stands in row t mod interval of stage t / interval. The branch back stands
// in the last row of its stage, which is 0, or 1 when the iteration runs `ahead`: then stage 0 has
// only operations that do no harm in an iteration that does not exist, such as advancing a counter.
// All others stand behind the branch of the iteration before, so nothing that counts is ever
// executed that the program as written does not execute.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedule/loops/loop_graph.hpp"

namespace tandem::schedule {

// What is left of the work that scheduling may spend, in edges and places looked at: a measure that
// is the same on every machine.
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

// How long values live: as it comes; or operations move, once all stand, to where values live
// shorter. That is fewer registers and less slack. `fewest` counts cycles of all values together;
// `shared` makes the longest life shorter, which is what asks for copies of the kernel.
enum class Lives : std::uint8_t { any, fewest, shared };

// A schedule of this interval, if one is found before the work is spent.
std::optional<ModuloSchedule> modulo_schedule(const LinearBlock& block, const LoopGraph& graph,
                                              std::uint32_t interval, std::uint32_t ahead,
                                              Lives lives, Work& work);

}  // namespace tandem::schedule
