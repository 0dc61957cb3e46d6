// The write port of copies (rtl/copies/tpu_copywrite.sv) and the memory that answers it: cuts the
// beats of a run into bursts, asks for each with its first beat, sends the beats of granted bursts
// and waits for their responses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/timing.hpp"
#include "sim/memory/copy_move.hpp"
#include "sim/memory/memory_channels.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

class CopyWrite {
 public:
  CopyWrite(BeatShape shape, const MemoryTimingParameters& timing)
      : shape_(shape), memory_(timing) {}

  // The mover may pick one more beat.
  [[nodiscard]] bool has_room() const {
    return beats_ + 2 <= timing::write_beats && open_ + 2 <= timing::write_bursts;
  }
  // After the beat that the mover puts in this cycle, the next one may begin a burst.
  [[nodiscard]] bool between(const CopyMove::Put& put) const {
    if (!put.beat) return burst_left_ == 0;
    return (burst_left_ == 0 ? shape_.burst(put.to_beat, put.left) : burst_left_) == 1;
  }
  // Nothing is begun and unanswered.
  [[nodiscard]] bool idle() const { return open_ == 0; }
  // After a cycle in which nothing happened: from which cycle on something can, or ~0.
  [[nodiscard]] std::uint64_t next_event() const {
    std::uint64_t next = ~std::uint64_t{0};
    if (memory_.complete() != 0) next = memory_.due();
    if (beats_ != 0 && memory_.data_expected()) next = std::min(next, memory_.data_from());
    return next;
  }

  struct Cycle {
    bool quiet = true;      // nothing happened
    bool sent = false;      // a beat went out
    bool answered = false;  // the last burst of a copy was answered
    bool arrived = false;   // of a copy of another chip
  };
  // One cycle, unless idle() and without a beat, in which the mover puts `put`.
  Cycle tick(std::uint64_t cycle, const CopyMove::Put& put);

 private:
  enum class Mark : std::uint8_t { none, copy, arrival };
  struct Request {
    std::uint64_t beat = 0;
    std::uint32_t beats = 0;
  };
  void add_beat(const CopyMove::Put& put);

  BeatShape shape_;
  MemoryWriteChannel memory_;
  std::uint32_t burst_left_ = 0;                  // remaining beats of the burst being cut
  std::uint32_t beats_ = 0;                       // waiting to go out
  std::uint32_t open_ = 0;                        // bursts begun and not answered
  Ring<Request, timing::write_bursts> requests_;  // not granted
  Ring<Mark, timing::write_bursts> marks_;        // of bursts cut: last of its copy or not
};

inline CopyWrite::Cycle CopyWrite::tick(std::uint64_t cycle, const CopyMove::Put& put) {
  Cycle happened;
  const bool grant = !requests_.empty() && memory_.ready();
  const bool answer = memory_.responds(cycle);
  happened.sent = beats_ != 0 && memory_.data_ready(cycle);
  happened.quiet = !grant && !answer && !happened.sent && !put.beat;
  if (answer) {
    happened.answered = marks_.front() == Mark::copy;
    happened.arrived = marks_.front() == Mark::arrival;
    marks_.pop();
    --open_;
    memory_.respond();
  }
  if (happened.sent) {
    --beats_;
    memory_.take_data(cycle);
  }
  if (grant) {
    const Request& request = requests_.front();
    memory_.take(cycle, request.beat << shape_.byte_shift, request.beats);
    requests_.pop();
  }
  if (put.beat) add_beat(put);
  return happened;
}

inline void CopyWrite::add_beat(const CopyMove::Put& put) {
  if (burst_left_ == 0) {
    burst_left_ = shape_.burst(put.to_beat, put.left);
    Request& request = requests_.push();
    request.beat = put.to_beat;
    request.beats = burst_left_;
    ++open_;
  }
  if (--burst_left_ == 0)
    marks_.push() = !put.end ? Mark::none : (put.arrival ? Mark::arrival : Mark::copy);
  ++beats_;
}

}  // namespace tandem
