// Copies in time (rtl/tpu_dma.sv): queue, reader, mover, writer and completion; and the flags
// (rtl/tpu_flags.sv), which completed copies add to.
#pragma once

#include <array>
#include <cstdint>

#include "isa/parameters.hpp"
#include "isa/timing.hpp"
#include "sim/memory/copy_move.hpp"
#include "sim/memory/copy_read.hpp"
#include "sim/memory/copy_write.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

class CopyEngine {
 public:
  CopyEngine(const Parameters& parameters, const MemoryTimingParameters& timing)
      : reader_(BeatShape(parameters.lanes)), writer_(BeatShape(parameters.lanes), timing) {}

  // ---- issue ------------------------------------------------------------------------------------
  [[nodiscard]] bool queue_full() const { return queue_.full(); }
  void push(std::uint64_t cycle, std::uint64_t sequence, const CopyIssue& copy);
  // The argument block at a start, in cycle 0: the only copy that adds nothing to its flag, and that
  // no Cycle shows as done.
  void push_arguments(const CopyIssue& copy);
  // Copies issued and not complete.
  [[nodiscard]] std::uint32_t outstanding() const { return outstanding_; }
  [[nodiscard]] std::uint32_t flag(std::uint32_t index) const { return flags_[index]; }
  void set_flag(std::uint32_t index, std::uint32_t value) { flags_[index] = value; }

  // ---- one cycle --------------------------------------------------------------------------------
  // The reader asks for a burst: `address`, `beats`.
  [[nodiscard]] bool wants_burst() const { return reader_.wants_burst(mover_.runs_full()); }
  [[nodiscard]] std::uint64_t address() const { return reader_.address(); }
  [[nodiscard]] std::uint32_t beats() const { return reader_.burst(); }

  struct Cycle {
    bool quiet = true;  // nothing happened: nothing will before next_event() or a read beat
    bool sent = false;  // a beat was written to HBM
    bool done = false;  // a copy is complete, completed(): its flag is added in this cycle
  };
  // `accepted`: the burst that the reader wants; `beat`: of read data comes in.
  Cycle tick(std::uint64_t cycle, bool accepted, bool beat);
  [[nodiscard]] std::uint64_t completed() const { return completed_; }  // its sequence number
  // Regular cycles: read data goes to the chip, one beat comes in each, and nothing else happens,
  // but that in stretch_rows() each also asks for the next row. How many from this one on:
  [[nodiscard]] std::uint64_t stretch(std::uint64_t cycle) const;
  [[nodiscard]] std::uint64_t stretch_rows() const {
    return flows() && mover_.at_row() ? reader_.rows(mover_.runs()) : 0;
  }
  void pass_stretch(std::uint32_t n) {
    mover_.step_on(n);
    reader_.use_beats(n);
  }
  void pass_row() { reader_.next_row(); }
  void end_rows() { reader_.end_rows(); }
  // After a quiet cycle: the first cycle from this one on in which something happens by itself, or
  // ~0.
  [[nodiscard]] std::uint64_t next_event(std::uint64_t cycle) const;

 private:
  [[nodiscard]] bool flows() const {
    return mover_.flows() && writer_.idle() && answered_ == 0 && !done_;
  }
  struct Tag {
    std::uint64_t sequence = 0;
    std::uint32_t flag = 0;
    std::uint32_t amount = 0;
  };
  void complete(Cycle& happened);
  void retire(const CopyMove::Put& put, bool answered);
  void take();
  bool read(std::uint64_t cycle, bool accepted, bool runs_full, bool moving_full);

  Ring<CopyTask, timing::copy_queue> queue_;
  CopyRead reader_;
  CopyMove mover_;
  CopyWrite writer_;
  Ring<Tag, timing::copy_moving> moving_;     // behind the reader, not fully put
  Ring<Tag, timing::copy_acknowledge> acks_;  // put to HBM, waiting for their last response
  std::uint32_t answered_ = 0;                // of these, at the front
  bool done_ = false;                         // done_tag_ is complete in the coming cycle
  Tag done_tag_;
  std::uint64_t completed_ = 0;
  std::uint32_t outstanding_ = 0;
  std::array<std::uint32_t, sync_flags> flags_{};
};

inline CopyEngine::Cycle CopyEngine::tick(std::uint64_t cycle, bool accepted, bool beat) {
  Cycle happened;
  if (done_) complete(happened);
  const bool room =
      (writer_.idle() || writer_.has_room()) && acks_.size() + 1 < timing::copy_acknowledge;
  const bool go = mover_.goes(room);
  const bool runs_full = mover_.runs_full();
  const bool moving_full = moving_.full();
  const CopyMove::Put& put = mover_.put();
  happened.quiet = !beat && !go && !put.step && !done_;
  done_ = false;

  bool answered = false;
  if (!writer_.idle() || put.beat) {
    const CopyWrite::Cycle written = writer_.tick(cycle, put);
    happened.sent = written.sent;
    happened.quiet = happened.quiet && written.quiet;
    answered = written.answered;
  }
  if (put.end || answered || answered_ != 0) {
    retire(put, answered);
    happened.quiet = false;
  }
  if (go) {
    if (mover_.takes_beat()) reader_.use_beats(1);
    mover_.step();
  } else {
    mover_.no_step();
  }
  if (read(cycle, accepted, runs_full, moving_full)) happened.quiet = false;
  if (beat) mover_.add_beat();
  return happened;
}

// What the cycle before found complete.
inline void CopyEngine::complete(Cycle& happened) {
  happened.done = done_tag_.amount != 0;
  completed_ = done_tag_.sequence;
  flags_[done_tag_.flag] += done_tag_.amount;
  --outstanding_;
}

// One completion a cycle, those to the chip first.
inline void CopyEngine::retire(const CopyMove::Put& put, bool answered) {
  const bool end_here = put.end && !put.end_hbm;
  const bool end_hbm = !end_here && answered_ != 0;
  done_ = end_here || end_hbm;
  if (end_here) done_tag_ = moving_.front();
  if (end_hbm) {
    done_tag_ = acks_.front();
    acks_.pop();
    --answered_;
  }
  if (answered) ++answered_;
  if (put.end) {
    if (put.end_hbm) acks_.push(moving_.front());
    moving_.pop();
  }
}

// The reader's cycle; a new copy may start in that of the last burst of the one before.
inline bool CopyEngine::read(std::uint64_t cycle, bool accepted, bool runs_full, bool moving_full) {
  const bool steps = reader_.steps(accepted, runs_full);
  const bool free = !reader_.active() || (steps && reader_.ends());
  if (steps) {
    if (reader_.begins_run()) mover_.push(reader_.run());
    reader_.step();
  }
  if (!free || queue_.empty() || queue_.front().ready > cycle || moving_full) return steps;
  take();
  return true;
}

}  // namespace tandem
