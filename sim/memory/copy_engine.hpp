// Copies in time (rtl/copies/tpu_dma.sv): queue, a reader and a mover for each direction, writer
// and completion; and the flags (rtl/scalar/tpu_flags.sv), which completed copies add to. In a
// group of chips, the additional link logic (chip_links.hpp) runs with it, cycle by cycle.
#pragma once

#include <array>
#include <cstdint>

#include "isa/parameters.hpp"
#include "isa/timing.hpp"
#include "sim/memory/chip_links.hpp"
#include "sim/memory/copy_move.hpp"
#include "sim/memory/copy_read.hpp"
#include "sim/memory/copy_tag.hpp"
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
  void push(std::uint64_t cycle, std::uint64_t vmem_free, std::uint64_t sequence,
            const CopyIssue& copy);
  // At a start, in cycle 0: the argument block, whose copy is the only one that adds nothing to its
  // flag, and the start copies. No Cycle reports one of them as done.
  void push_at_start(const CopyIssue& copy);
  // Copies issued and not complete.
  [[nodiscard]] std::uint32_t outstanding() const { return outstanding_; }
  [[nodiscard]] std::uint32_t flag(std::uint32_t index) const { return flags_[index]; }
  void set_flag(std::uint32_t index, std::uint32_t value) { flags_[index] = value; }

  // ---- a chip of a group ------------------------------------------------------------------------
  // The owner's, from a start on; nullptr: a machine alone.
  void tie(ChipLinks* links) { links_ = links; }
  [[nodiscard]] bool tied() const { return links_ != nullptr; }
  // Neither the links nor the write port for them are active before link_event().
  [[nodiscard]] bool links_idle() const {
    return links_ == nullptr || (links_->idle() && writer_.idle());
  }
  [[nodiscard]] std::uint64_t link_event() const {
    return links_ == nullptr ? ~std::uint64_t{0} : links_->next_event();
  }

  // ---- one cycle --------------------------------------------------------------------------------
  // A reader asks for a burst: `address`, `beats`.
  [[nodiscard]] bool wants_burst() {
    return links_ == nullptr ? in_.reader.wants_burst(in_.mover.runs_full()) : choose_reader();
  }
  // Which reader: 0 for the chip, 1 + way for a link.
  [[nodiscard]] std::uint32_t asking() const { return asking_; }
  [[nodiscard]] std::uint64_t address() const { return reader(asking_).address(); }
  [[nodiscard]] std::uint32_t beats() const { return reader(asking_).burst(); }

  struct Cycle {
    bool quiet = true;     // nothing happened: nothing will before next_event() or a read beat
    bool sent = false;     // a beat was written to HBM
    bool done = false;     // a copy is complete, completed(): its flag is added in this cycle
    bool loaded = false;   // the argument block is there
    bool arrived = false;  // one from another chip is complete, arrival(): likewise
  };
  // `accepted`: the burst that the reader wants; `beat`: read data arrives.
  Cycle tick(std::uint64_t cycle, bool accepted, bool beat);
  // The same for a chip of a group; the beat is for `reader`, as asking() called it.
  Cycle tick_tied(std::uint64_t cycle, bool accepted, bool beat, std::uint32_t reader);
  [[nodiscard]] std::uint64_t completed() const { return completed_; }  // its sequence number
  [[nodiscard]] const LinkHeader& arrival() const { return links_->receive.added(); }
  // Regular cycles: read data goes to the chip, one beat arrives in each, and nothing else happens,
  // except that in stretch_rows() each also asks for the next row. Their number from this one on:
  [[nodiscard]] std::uint64_t stretch(std::uint64_t cycle) const;
  [[nodiscard]] std::uint64_t stretch_rows() const {
    const bool regular = flows() && in_.mover.at_row() &&
                         (queue_.empty() || !(queue_.front().goes_out || queue_.front().leaves));
    return regular ? in_.reader.rows(in_.mover.runs()) : 0;
  }
  void pass_stretch(std::uint32_t n) {
    in_.mover.step_on(n);
    in_.reader.use_beats(n);
  }
  void pass_row() { in_.reader.next_row(); }
  void end_rows() { in_.reader.end_rows(); }
  // After a quiet cycle: the first cycle, from this one on, in which something happens by itself,
  // or ~0.
  [[nodiscard]] std::uint64_t next_event(std::uint64_t cycle) const;

 private:
  // A reader and a mover, and the copies between them.
  struct Side {
    explicit Side(BeatShape shape) : reader(shape) {}

    CopyRead reader;
    CopyMove mover;
    Ring<CopyTag, timing::copy_moving> moving;  // after the reader, not fully put
  };
  [[nodiscard]] bool flows() const {
    return in_.mover.flows() && out_.moving.empty() && writer_.idle() && answered_ == 0 &&
           ended_.empty() && !done_;
  }
  [[nodiscard]] bool may_complete(const CopyTag& tag) const {
    return (tag.ticket == completed_of_[tag.flag] &&
            tag.ticket_here == completed_of_[tag.flag_here]) ||
           !tag.counts;
  }
  [[nodiscard]] const CopyRead& reader(std::uint32_t number) const {
    return number == 0 ? in_.reader : links_->ways[number - 1].reader;
  }

  // In a group (copy_engine_links.cpp).
  struct Steps {
    bool in = false;
    bool out = false;
  };
  struct Takes {
    bool any = false;  // a reader takes the queue's oldest copy: this one
    bool in = false;
    bool out = false;
    std::array<bool, link_ways> way{};
    // The movers whose queue of runs is full.
    bool in_full = false;
    bool out_full = false;
    std::array<bool, link_ways> way_full{};
  };
  [[nodiscard]] bool asks(std::uint32_t number) const;
  bool choose_reader();
  [[nodiscard]] bool may_step(const CopyMove& mover, bool room) const;
  void add_arrival(Cycle& happened);
  [[nodiscard]] Takes who_takes(std::uint64_t cycle) const;
  bool write(std::uint64_t cycle, const CopyMove::Put& own_put, Cycle& happened);
  void step_movers(Steps steps);
  bool read_all(bool accepted, const Takes& takes);
  bool read_sent(ChipLinks::Way& way, bool accepted, bool runs_full, bool takes);
  void retire_sent();
  void take_sent(ChipLinks::Way& way);

  void complete(Cycle& happened);
  void retire(bool answered);
  void finish(const CopyTag& tag);
  [[nodiscard]] bool may_take(const CopyTask& task) const;
  void tag_of(const CopyTask& task, CopyTag& tag);
  void take(Side& side);
  bool read(Side& side, bool accepted, bool runs_full, bool takes);

  Ring<CopyTask, timing::copy_queue> queue_;
  Side in_;   // to the chip, and copies that need both sides
  Side out_;  // from the chip to HBM
  CopyWrite writer_;
  std::uint32_t alone_ = 0;                       // of in_.moving: those that need both sides
  Ring<CopyTag, timing::copy_moving> ended_;      // on the chip, after an older copy of their flag
  Ring<CopyTag, timing::copy_acknowledge> acks_;  // put to HBM, waiting for their last response
  std::uint32_t answered_ = 0;                    // of these, at the front
  bool done_ = false;                             // done_tag_ is complete in the coming cycle
  CopyTag done_tag_;
  std::uint64_t completed_ = 0;
  std::uint32_t outstanding_ = 0;
  std::array<std::uint32_t, sync_flags> flags_{};
  std::array<std::uint32_t, sync_flags> started_of_{};    // copies of each flag
  std::array<std::uint32_t, sync_flags> completed_of_{};  // of these
  ChipLinks* links_ = nullptr;
  std::uint32_t asking_ = 0;  // the reader whose turn it is to ask
  std::uint32_t asked_ = 0;   // whose burst was accepted last
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
  // The copy that may be taken off the queue is determined at the beginning of the cycle.
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

// The copy that the previous cycle found complete.
inline void CopyEngine::complete(Cycle& happened) {
  happened.done = !done_tag_.at_start;
  happened.loaded = done_tag_.at_start && done_tag_.amount == 0;
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
  const CopyTag* const here_tag = here ? &(waited ? ended_ : in_.moving).front() : nullptr;
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

inline void CopyEngine::finish(const CopyTag& tag) {
  done_ = true;
  done_tag_ = tag;
  if (!tag.counts) return;
  ++completed_of_[tag.flag];
  if (tag.flag_here != tag.flag) ++completed_of_[tag.flag_here];
}

// The queue's oldest copy, as seen by its reader at the beginning of a cycle.
inline bool CopyEngine::may_take(const CopyTask& task) const {
  if (task.leaves) return !links_->ways[static_cast<std::size_t>(task.way)].full();
  if (task.goes_out) return alone_ == 0 && !out_.moving.full();
  if (task.alone && !out_.moving.empty()) return false;
  return in_.moving.size() + ended_.size() != timing::copy_moving;
}

// A reader's cycle; a new copy may start in that of the last burst of the previous one.
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
