// Second half of the copy engine in time (rtl/copies/tpu_copymove.sv): one step of the oldest run a
// cycle picks a source beat and, one cycle later, puts a destination beat.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/timing.hpp"
#include "sim/memory/copy_read.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

class CopyMove {
 public:
  // The beat that the previous cycle's step puts in this one.
  struct Put {
    bool step = false;
    bool beat = false;       // a beat for the write port, number `to_beat`
    bool end = false;        // the last step of its copy
    bool end_hbm = false;    // whose bytes go to HBM
    bool empty = false;      // it moves nothing
    bool final = false;      // of the last run of its copy
    bool arrival = false;    // of a copy of another chip
    std::uint32_t left = 0;  // beats of the run from this one on
    std::uint64_t to_beat = 0;
  };
  [[nodiscard]] const Put& put() const { return put_; }

  [[nodiscard]] bool runs_full() const { return runs_.full(); }
  // A step is picked in this cycle.
  [[nodiscard]] bool goes(bool write_room) const {
    if (runs_.empty()) return false;
    return (beats_ != 0 || !takes_beat()) && (write_room || !runs_.front().to_hbm);
  }
  // Of the run at the head.
  [[nodiscard]] bool to_hbm() const { return runs_.front().to_hbm; }
  [[nodiscard]] bool from_chip() const { return runs_.front().from_chip; }
  [[nodiscard]] bool begun() const { return step_ != 0; }
  // That step takes a beat out of the buffer of read data.
  [[nodiscard]] bool takes_beat() const {
    const CopyRun& run = runs_.front();
    return step_ >= run.first_take && step_ < run.first_take + run.takes;
  }

  // The cycle, in this order.
  void step() {
    const CopyRun& run = runs_.front();
    if (takes_beat()) --beats_;
    const bool last_step = step_ + 1 == run.steps;
    put_.step = true;
    put_.end = last_step && run.last;
    put_.end_hbm = run.to_hbm && !run.empty;
    put_.empty = run.empty;
    put_.final = run.last;
    put_.beat = put_.end_hbm && !(run.wraps && step_ == 0);
    put_.left = run.steps - step_;
    put_.to_beat = run.to_beat + step_ - (run.wraps ? 1 : 0);
    ++step_;
    if (!last_step) return;
    step_ = 0;
    runs_.pop();
  }
  void no_step() { put_.step = put_.beat = put_.end = false; }

  // A beat of read data was put on the chip or held, and one is picked now; no copy has ended.
  [[nodiscard]] bool flows() const {
    return put_.step && !put_.beat && !put_.end && beats_ != 0 && !runs_.empty() && takes_beat() &&
           !runs_.front().to_hbm;
  }
  // While it flows: steps from this one on that take a beat each and do not end their run.
  [[nodiscard]] std::uint32_t flow() const {
    const CopyRun& run = runs_.front();
    return std::min(run.first_take + run.takes, run.steps - 1) - step_;
  }
  [[nodiscard]] bool at_row() const { return runs_.front().is_row(); }
  [[nodiscard]] std::uint32_t runs() const { return runs_.size(); }
  [[nodiscard]] bool idle() const { return runs_.empty() && !put_.step; }
  // n such steps, with a beat arriving for each.
  void step_on(std::uint32_t n) { step_ += n; }
  void push(const CopyRun& run) { runs_.push() = run; }
  void add_beat() { ++beats_; }

 private:
  Ring<CopyRun, timing::copy_runs> runs_;
  std::uint32_t step_ = 0;   // of the oldest run
  std::uint32_t beats_ = 0;  // of waiting read data
  Put put_;
};

}  // namespace tandem
