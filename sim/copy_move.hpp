// Second half of the copy engine in time (rtl/tpu_copymove.sv): one step of the oldest run a cycle
// picks a source beat and, one cycle later, puts a destination beat.
#pragma once

#include <cstdint>

#include "isa/timing.hpp"
#include "sim/copy_read.hpp"
#include "sim/ring.hpp"

namespace tandem {

class CopyMove {
 public:
  // What the step of the cycle before puts in this one.
  struct Put {
    bool step = false;
    bool beat = false;       // a beat for the write port, number `to_beat`
    bool end = false;        // the last step of its copy
    bool end_hbm = false;    // whose bytes go to HBM
    std::uint32_t left = 0;  // beats of the run from this one on
    std::uint64_t to_beat = 0;
  };
  [[nodiscard]] const Put& put() const { return put_; }

  [[nodiscard]] bool runs_full() const { return runs_.full(); }
  // A step is picked in this cycle.
  [[nodiscard]] bool goes(bool write_room) const {
    if (runs_.empty()) return false;
    const CopyRun& run = runs_.front();
    return (beats_ != 0 || !run.from_hbm || !takes()) && (write_room || !run.to_hbm);
  }
  // That step takes a beat out of the buffer of read data.
  [[nodiscard]] bool uses_beat() const { return runs_.front().from_hbm && takes(); }

  // The cycle, in this order.
  void step();
  void no_step() { put_ = Put{}; }
  void push(const CopyRun& run) { runs_.push(run); }
  void add_beat() { ++beats_; }

 private:
  [[nodiscard]] bool takes() const { return step_ < runs_.front().from_beats; }

  Ring<CopyRun, timing::copy_runs> runs_;
  std::uint32_t step_ = 0;   // of the oldest run
  std::uint32_t beats_ = 0;  // of read data that wait
  Put put_;
};

}  // namespace tandem
