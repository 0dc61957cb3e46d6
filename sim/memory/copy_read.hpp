// First half of the copy engine in time (rtl/copies/tpu_copyread.sv): takes copies off the queue in
// program order, walks their runs, and asks for the source beats of each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "isa/state/retire.hpp"
#include "isa/timing.hpp"
#include "sim/link/link_packet.hpp"

namespace tandem {

// Bytes per beat, words per beat and so on, as shifts.
struct BeatShape {
  explicit BeatShape(std::uint32_t lane_count);

  std::uint32_t lanes;
  std::uint32_t word_shift;  // words -> beats
  std::uint32_t byte_shift;  // bytes -> beats
  std::uint32_t page_beats;  // beats of a 4 KiB page

  [[nodiscard]] std::uint32_t lane(std::uint64_t address) const {
    return static_cast<std::uint32_t>(address / 4) & (lanes - 1);
  }
  // Beats that `words` words touch, starting at a lane.
  [[nodiscard]] std::uint32_t beats(std::uint32_t words, std::uint32_t lane) const {
    return (words + lane + lanes - 1) >> word_shift;
  }
  // Beats of the burst that begins with this one and has at most `left`.
  [[nodiscard]] std::uint32_t burst(std::uint64_t beat, std::uint32_t left) const {
    const auto page_left = page_beats - (static_cast<std::uint32_t>(beat) & (page_beats - 1));
    return std::min(std::min(timing::copy_burst_beats, page_left), left);
  }
};

enum class CopySpace : std::uint8_t { hbm, vmem, smem };

// A copy that issued.
struct CopyTask {
  CopyTask() = default;
  CopyTask(std::uint64_t sequence, const CopyIssue& copy);
  // It goes to another chip: only its flag here is this chip's.
  void send(LinkWay there) {
    leaves = true;
    way = there;
    goes_out = alone = false;
    flag_there = flag;
    amount_there = amount;
    flag = flag_here;
    amount = amount_here;
    amount_here = 0;
  }

  std::uint64_t sequence = 0;
  std::uint32_t flag = 0;
  std::uint32_t amount = 0;
  std::uint32_t flag_here = 0;  // of version 1; else `flag` and 0
  std::uint32_t amount_here = 0;
  std::uint64_t source = 0;       // bytes
  std::uint64_t destination = 0;  // bytes
  CopySpace from{};
  CopySpace to{};
  bool empty = false;     // moves nothing
  bool goes_out = false;  // from the chip to HBM
  bool alone = false;     // between two places on the chip or in HBM: needs both movers
  bool remote = false;    // of version 1
  bool leaves = false;    // to another chip, the way `way`
  bool at_start = false;  // a start has queued it
  LinkWay way{};
  std::uint32_t chip = 0;
  std::uint32_t flag_there = 0;
  std::uint32_t amount_there = 0;
  std::uint32_t words = 0;  // of a run
  std::array<std::uint32_t, 3> counts{};
  std::array<std::int32_t, 3> source_strides{};
  std::array<std::int32_t, 3> destination_strides{};
  std::uint64_t ready = 0;  // cycle from which the reader may take it
};

// A run as the mover needs it. Beats are numbered by address / beat bytes.
struct CopyRun {
  std::uint64_t to_beat = 0;  // if to_hbm
  std::uint32_t takes = 0;    // steps that take a beat of read data: from this one on
  std::uint32_t first_take = 0;
  std::uint32_t steps = 0;
  bool kept = false;   // it begins in the last beat of the run before, which is there
  bool wraps = false;  // the first step only takes a beat
  bool to_hbm = false;
  bool from_chip = false;
  bool last = false;  // of its copy
  bool empty = false;

  // One beat of HBM becomes one on the chip, and is not the end of the copy.
  [[nodiscard]] bool is_row() const {
    return takes == 1 && steps == 1 && !to_hbm && !last && !kept;
  }
};

class CopyRead {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  explicit CopyRead(BeatShape shape) : shape_(shape) {}

  [[nodiscard]] bool active() const { return active_; }
  // A burst is asked for in this cycle.
  [[nodiscard]] bool wants_burst(bool runs_full) const {
    return active_ && asks() && !(first_ && runs_full) && burst_ <= room_;
  }
  [[nodiscard]] std::uint64_t address() const { return beat_ << shape_.byte_shift; }
  [[nodiscard]] std::uint32_t burst() const { return burst_; }
  // Takes one step in this cycle: with its burst accepted, or with a run from the chip.
  [[nodiscard]] bool steps(bool accepted, bool runs_full) const {
    return active_ && (asks() ? accepted : !runs_full);
  }
  // This step is the last of its copy.
  [[nodiscard]] bool ends() const { return run_.last && left_ == burst_; }
  // This step is the first of its run, which then goes to the mover.
  [[nodiscard]] bool begins_run() const { return first_; }
  [[nodiscard]] const CopyRun& run() const { return run_; }
  // Beats of read data that may still be requested.
  [[nodiscard]] std::uint32_t room() const { return room_; }

  void step() {
    room_ -= burst_;
    if (left_ != burst_) return next_burst();
    if (burst_ != 0) held_beat_ = beat_ + burst_ - 1;
    if (run_.last) {
      active_ = false;
    } else {
      next_run();
    }
  }
  // Cycles from this one on in which an active reader does nothing, whatever is free, if each of
  // them uses a beat of read data.
  [[nodiscard]] std::uint64_t rests(bool runs_full) const {
    if (runs_full && first_) return never;
    return burst_ > room_ ? burst_ - room_ : 0;
  }
  // Number of cycles from this one on that each ask for a run of one beat, like all earlier runs of
  // this copy, of which `queued` are not moved yet, if each cycle uses a beat of data.
  [[nodiscard]] std::uint64_t rows(std::uint32_t queued) const {
    const bool regular = active_ && source_step_ != 0 && same_lanes_ && run_.is_row() &&
                         room_ != 0 && rows_begun_ >= queued && queued < timing::copy_runs;
    return regular ? inner_left_ - 1 : 0;
  }
  // The next of these cycles; end_rows() after the last.
  void next_row() {
    --inner_left_;
    ++rows_begun_;
    held_beat_ = beat_;
    source_[0] += source_step_;
    destination_[0] += destination_step_;
    beat_ = source_[0] >> shape_.byte_shift;
  }
  void end_rows() { begin_run(); }
  void begin(const CopyTask& task);
  void use_beats(std::uint32_t beats) { room_ += beats; }

 private:
  void next_burst() {
    first_ = false;
    beat_ += burst_;
    left_ -= burst_;
    burst_ = shape_.burst(beat_, left_);
  }
  void next_run() {
    is_first_run_ = false;
    rows_begun_ = run_.is_row() ? rows_begun_ + 1 : 0;
    if (--inner_left_ == 0) return next_outer_run();
    source_[0] += source_step_;
    destination_[0] += destination_step_;
    begin_run();
  }
  void begin_run() {
    first_ = true;
    find_lanes();
    if (run_.to_hbm) run_.to_beat = destination_[0] >> shape_.byte_shift;
    run_.last = inner_left_ == 1 && outer_done_;
    left_ = run_.takes;
    burst_ = shape_.burst(beat_, left_);
  }
  // There is something to read for the current run.
  [[nodiscard]] bool asks() const { return left_ != 0; }
  void next_outer_run();
  void begin_row();
  void find_lanes();

  BeatShape shape_;
  CopyTask task_;
  bool active_ = false;
  bool from_hbm_ = false;
  bool first_ = false;  // nothing of the run has been requested yet
  std::uint32_t room_ = timing::read_beats;
  std::uint64_t beat_ = 0;   // next to be requested
  std::uint32_t left_ = 0;   // beats of the run to be requested
  std::uint32_t burst_ = 0;  // beats of the next burst
  CopyRun run_;              // the current one
  bool same_lanes_ = false;  // all runs begin at the lanes of the first
  bool is_first_run_ = false;
  std::uint64_t held_beat_ = 0;   // the last one of the run before, which the mover keeps
  std::uint64_t rows_begun_ = 0;  // runs before the current one that are rows, without another
  // Runs of the innermost dimension from the current one on; whether the outer ones are done.
  std::uint32_t inner_left_ = 0;
  bool outer_done_ = false;
  std::uint64_t source_step_ = 0;
  std::uint64_t destination_step_ = 0;
  std::array<std::uint32_t, 3> index_{};  // of the outer dimensions
  // Where the current run begins, that with index 0 in the first dimension, in the first two.
  std::array<std::uint64_t, 3> source_{};
  std::array<std::uint64_t, 3> destination_{};
};

}  // namespace tandem
