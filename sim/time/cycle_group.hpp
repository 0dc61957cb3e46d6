// Cycle-exact models that are the chips of a group. Each runs alone for as many cycles as a link
// takes, one after the other: the actions of the others in that time are not visible yet. So the
// cycles of all are exact, and do not depend on the order.
//
//   CycleGroup group({&model[0], &model[1]}, timing);      each has been started as a chip of so
//   many while (group.run(100'000) == GroupStatus::running) { ... }
#pragma once

#include <cstdint>
#include <vector>

#include "isa/group/golden_group.hpp"
#include "sim/link/link_ring.hpp"
#include "sim/time/cycle_model.hpp"

namespace tandem {

class CycleGroup {
 public:
  // By chip number; they must outlive this, and must not be run without it before their next start.
  // Of `timing` only the links' part is used. A window of 0 cycles means the longest possible, the
  // latency of a link; the result is the same for all windows.
  CycleGroup(std::vector<CycleModel*> chips, const MemoryTimingParameters& timing,
             std::uint32_t window = 0);

  // For at least this many cycles, in whole windows.
  GroupStatus run(std::uint64_t cycles);
  // The actions of the chips, without time.
  [[nodiscard]] const GoldenGroup& golden() const { return golden_; }

 private:
  GroupStatus run_window();
  [[nodiscard]] bool all_still() const;
  [[nodiscard]] bool all_ended() const;

  std::vector<CycleModel*> chips_;
  GoldenGroup golden_;
  LinkRing<LinkBeat> ring_;
  std::uint32_t window_;
  std::uint64_t now_ = 0;
};

}  // namespace tandem
