// Copies in time (rtl/tpu_dma.sv): queue, reader, mover, writer and completion; and the flags
// (rtl/tpu_flags.sv), which completed copies add to.
#pragma once

#include <array>
#include <cstdint>

#include "isa/parameters.hpp"
#include "isa/timing.hpp"
#include "sim/copy_move.hpp"
#include "sim/copy_read.hpp"
#include "sim/copy_write.hpp"
#include "sim/ring.hpp"

namespace tandem {

class CopyEngine {
 public:
  CopyEngine(const Parameters& parameters, const MemoryTimingParameters& timing)
      : reader_(BeatShape(parameters.lanes)), writer_(BeatShape(parameters.lanes), timing) {}

  // ---- issue ------------------------------------------------------------------------------------
  [[nodiscard]] bool queue_full() const { return queue_.full(); }
  void push(std::uint64_t cycle, std::uint64_t sequence, const CopyIssue& copy);
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
    bool done = false;  // a copy is complete: its flag is added in this cycle
    std::uint64_t sequence = 0;  // that copy
  };
  // `accepted`: the burst that the reader wants; `beat`: of read data comes in.
  Cycle tick(std::uint64_t cycle, bool accepted, bool beat);
  // After a quiet cycle: the first cycle from this one on in which something happens by itself, or
  // ~0.
  [[nodiscard]] std::uint64_t next_event(std::uint64_t cycle) const;

 private:
  struct Tag {
    std::uint64_t sequence = 0;
    std::uint32_t flag = 0;
    std::uint32_t amount = 0;
  };
  void complete(Cycle& happened);
  bool retire(const CopyMove::Put& put, bool answered);
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
  std::uint32_t outstanding_ = 0;
  std::array<std::uint32_t, sync_flags> flags_{};
};

}  // namespace tandem
