// Copies in time (rtl/copies/tpu_dma.sv): queue, a reader and a mover for each direction, writer
// and completion; and the flags (rtl/scalar/tpu_flags.sv), which completed copies add to.
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
      : in_{BeatShape(parameters.lanes)},
        out_{BeatShape(parameters.lanes)},
        writer_(BeatShape(parameters.lanes), timing) {}

  // ---- issue ------------------------------------------------------------------------------------
  [[nodiscard]] bool queue_full() const { return queue_.full(); }
  void push(std::uint64_t cycle, std::uint64_t sequence, const CopyIssue& copy);
  // The argument block at a start, in cycle 0: the only copy that adds nothing to its flag, and
  // that no Cycle shows as done.
  void push_arguments(const CopyIssue& copy);
  // Copies issued and not complete.
  [[nodiscard]] std::uint32_t outstanding() const { return outstanding_; }
  [[nodiscard]] std::uint32_t flag(std::uint32_t index) const { return flags_[index]; }
  void set_flag(std::uint32_t index, std::uint32_t value) { flags_[index] = value; }

  // ---- one cycle --------------------------------------------------------------------------------
  // The reader asks for a burst: `address`, `beats`.
  [[nodiscard]] bool wants_burst() const { return in_.reader.wants_burst(in_.mover.runs_full()); }
  [[nodiscard]] std::uint64_t address() const { return in_.reader.address(); }
  [[nodiscard]] std::uint32_t beats() const { return in_.reader.burst(); }

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
    const bool regular =
        flows() && in_.mover.at_row() && (queue_.empty() || !queue_.front().goes_out);
    return regular ? in_.reader.rows(in_.mover.runs()) : 0;
  }
  void pass_stretch(std::uint32_t n) {
    in_.mover.step_on(n);
    in_.reader.use_beats(n);
  }
  void pass_row() { in_.reader.next_row(); }
  void end_rows() { in_.reader.end_rows(); }
  // After a quiet cycle: the first cycle from this one on in which something happens by itself, or
  // ~0.
  [[nodiscard]] std::uint64_t next_event(std::uint64_t cycle) const;

 private:
  struct Tag {
    std::uint64_t sequence = 0;
    std::uint32_t flag = 0;
    std::uint32_t amount = 0;
    std::uint32_t ticket = 0;  // of the flag: copies complete in this order
    std::uint32_t flag_here = 0;
    std::uint32_t amount_here = 0;
    std::uint32_t ticket_here = 0;
    bool alone = false;
  };
  // A reader and a mover, and the copies between them.
  struct Side {
    explicit Side(BeatShape shape) : reader(shape) {}

    CopyRead reader;
    CopyMove mover;
    Ring<Tag, timing::copy_moving> moving;  // behind the reader, not fully put
  };
  [[nodiscard]] bool flows() const {
    return in_.mover.flows() && out_.moving.empty() && writer_.idle() && answered_ == 0 &&
           ended_.empty() && !done_;
  }
  [[nodiscard]] bool may_complete(const Tag& tag) const {
    return tag.ticket == completed_of_[tag.flag] && tag.ticket_here == completed_of_[tag.flag_here];
  }
  void complete(Cycle& happened);
  void retire(bool answered);
  void finish(const Tag& tag);
  [[nodiscard]] bool may_take(const CopyTask& task) const;
  void take(Side& side);
  bool read(Side& side, bool accepted, bool runs_full, bool takes);

  Ring<CopyTask, timing::copy_queue> queue_;
  Side in_;   // to the chip, and copies that need both sides
  Side out_;  // from the chip to HBM
  CopyWrite writer_;
  std::uint32_t alone_ = 0;                   // of in_.moving: those that need both sides
  Ring<Tag, timing::copy_moving> ended_;      // on the chip, behind an older copy of their flag
  Ring<Tag, timing::copy_acknowledge> acks_;  // put to HBM, waiting for their last response
  std::uint32_t answered_ = 0;                // of these, at the front
  bool done_ = false;                         // done_tag_ is complete in the coming cycle
  Tag done_tag_;
  std::uint64_t completed_ = 0;
  std::uint32_t outstanding_ = 0;
  std::array<std::uint32_t, sync_flags> flags_{};
  std::array<std::uint32_t, sync_flags> started_of_{};    // copies of each flag
  std::array<std::uint32_t, sync_flags> completed_of_{};  // of these
};

inline CopyEngine::Cycle CopyEngine::tick(std::uint64_t cycle, bool accepted, bool beat) {
  Cycle happened;
  if (done_) complete(happened);
  const bool room =
      (writer_.idle() || writer_.has_room()) && acks_.size() + 1 < timing::copy_acknowledge;
  const bool in_goes = in_.mover.goes(room);
  const bool out_goes = out_.mover.goes(room);
  const bool in_full = in_.mover.runs_full();
  const bool out_full = out_.mover.runs_full();
  const CopyMove::Put& in_put = in_.mover.put();
  const CopyMove::Put& out_put = out_.mover.put();
  // What may be taken off the queue shows at the beginning of the cycle.
  Side* const side = queue_.empty() || queue_.front().ready > cycle || !may_take(queue_.front())
                         ? nullptr
                         : (queue_.front().goes_out ? &out_ : &in_);
  happened.quiet = !beat && !in_goes && !out_goes && !in_put.step && !out_put.step && !done_;
  done_ = false;

  bool answered = false;
  const CopyMove::Put& put = out_put.beat ? out_put : in_put;
  if (!writer_.idle() || put.beat) {
    const CopyWrite::Cycle written = writer_.tick(cycle, put);
    happened.sent = written.sent;
    happened.quiet = happened.quiet && written.quiet;
    answered = written.answered;
  }
  if (in_put.end || out_put.end || answered || answered_ != 0 || !ended_.empty()) {
    retire(answered);
    happened.quiet = false;
  }
  if (in_goes && in_.mover.takes_beat()) in_.reader.use_beats(1);
  in_goes ? in_.mover.step() : in_.mover.no_step();
  out_goes ? out_.mover.step() : out_.mover.no_step();
  if (read(in_, accepted, in_full, side == &in_)) happened.quiet = false;
  if (read(out_, false, out_full, side == &out_)) happened.quiet = false;
  if (beat) in_.mover.add_beat();
  return happened;
}

// What the cycle before found complete.
inline void CopyEngine::complete(Cycle& happened) {
  happened.done = done_tag_.amount != 0;
  completed_ = done_tag_.sequence;
  flags_[done_tag_.flag] += done_tag_.amount;
  flags_[done_tag_.flag_here] += done_tag_.amount_here;
  --outstanding_;
}

// One completion a cycle, those to the chip first; none before an older copy of its flag.
inline void CopyEngine::retire(bool answered) {
  const CopyMove::Put& in_put = in_.mover.put();
  const CopyMove::Put& out_put = out_.mover.put();
  const bool end_here = in_put.end && !in_put.end_hbm;
  const bool here = end_here || !ended_.empty();
  const bool waited = !ended_.empty();
  const Tag* const here_tag = here ? &(waited ? ended_ : in_.moving).front() : nullptr;
  const bool take_here = here && may_complete(*here_tag);
  const bool take_hbm = !take_here && answered_ != 0 && may_complete(acks_.front());
  if (take_here) finish(*here_tag);
  if (take_hbm) finish(acks_.front());
  if (take_here && waited) ended_.pop();
  if (end_here && !(take_here && !waited)) ended_.push(in_.moving.front());
  if (take_hbm) {
    acks_.pop();
    --answered_;
  }
  if (answered) ++answered_;
  if (in_put.end) {
    if (in_put.end_hbm) acks_.push(in_.moving.front());
    alone_ -= in_.moving.front().alone ? 1 : 0;
    in_.moving.pop();
  }
  if (out_put.end) {
    acks_.push(out_.moving.front());
    out_.moving.pop();
  }
}

inline void CopyEngine::finish(const Tag& tag) {
  done_ = true;
  done_tag_ = tag;
  ++completed_of_[tag.flag];
  if (tag.flag_here != tag.flag) ++completed_of_[tag.flag_here];
}

// The queue's oldest copy, as its reader sees it at the beginning of a cycle.
inline bool CopyEngine::may_take(const CopyTask& task) const {
  if (task.goes_out) return alone_ == 0 && !out_.moving.full();
  if (task.alone && !out_.moving.empty()) return false;
  return in_.moving.size() + ended_.size() != timing::copy_moving;
}

// A reader's cycle; a new copy may start in that of the last burst of the one before.
inline bool CopyEngine::read(Side& side, bool accepted, bool runs_full, bool takes) {
  const bool steps = side.reader.steps(accepted, runs_full);
  const bool free = !side.reader.active() || (steps && side.reader.ends());
  if (steps) {
    if (side.reader.begins_run()) side.mover.push(side.reader.run());
    side.reader.step();
  }
  if (!free || !takes) return steps;
  take(side);
  return true;
}

}  // namespace tandem
