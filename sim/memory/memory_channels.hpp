// The memory's two channels at the native beat port, timing only: which requests, beats and
// responses happen in which cycle (sim/memory/memory_timing.hpp gives the cycles). Shared by the
// memory behind the RTL (cosim/verilated/memory_device.hpp) and the cycle-exact model.
//
// Per cycle: first ready(), responds() and the like, which depend on state alone; then respond()
// and take...() report the events, in this order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/timing.hpp"
#include "sim/memory/memory_timing.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

// Read requests, and beats of data in the order of requests, at most one a cycle.
class MemoryReadChannel {
 public:
  explicit MemoryReadChannel(const MemoryTimingParameters& parameters)
      : timing_(parameters),
        beat_(parameters.beat),
        outstanding_(std::clamp(parameters.outstanding, 1U, timing::read_bursts)) {}

  [[nodiscard]] bool ready() const { return bursts_.size() < outstanding_; }
  // Whether a beat arrives in this cycle.
  [[nodiscard]] bool responds(std::uint64_t cycle) const {
    return !bursts_.empty() && cycle >= bursts_.front().due;
  }
  // Bursts taken and not finished.
  [[nodiscard]] std::uint32_t size() const { return bursts_.size(); }
  // Of the oldest burst, while there is one: the cycle from which on its next beat can arrive, how
  // many are to come, and the argument of take().
  [[nodiscard]] std::uint64_t due() const { return bursts_.front().due; }
  [[nodiscard]] std::uint32_t beats_left() const { return bursts_.front().left; }
  // How many can arrive in a row, one in each cycle.
  [[nodiscard]] std::uint32_t beats_in_a_row() const { return beat_ == 1 ? beats_left() : 1; }
  [[nodiscard]] std::uint32_t tag() const { return bursts_.front().tag; }

  // The next beats arrive, one in each of n <= beats_in_a_row() cycles.
  void respond(std::uint32_t n = 1) {
    Burst& burst = bursts_.front();
    burst.due += std::uint64_t{n} * beat_;
    burst.left -= n;
    if (burst.left == 0) bursts_.pop();
  }
  void take(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats, std::uint32_t tag) {
    Burst& burst = bursts_.push();
    burst.due = timing_.request(cycle, address, beats);
    burst.left = beats;
    burst.tag = tag;
  }

 private:
  struct Burst {
    std::uint64_t due = 0;  // of the next beat
    std::uint32_t left = 0;
    std::uint32_t tag = 0;
  };

  MemoryPortTiming timing_;
  std::uint32_t beat_;
  std::uint32_t outstanding_;
  Ring<Burst, timing::read_bursts> bursts_;
};

// Write requests, beats of data in the order of requests, and a response to each burst: when timing
// allows it and all its beats have arrived.
class MemoryWriteChannel {
 public:
  explicit MemoryWriteChannel(const MemoryTimingParameters& parameters)
      : timing_(other_jitter(parameters)),
        hold_seed_(parameters.seed ^ 0x686f6c64U),
        write_hold_(parameters.write_hold),
        beat_(parameters.beat),
        outstanding_(std::clamp(parameters.outstanding, 1U, timing::write_bursts)) {}

  [[nodiscard]] bool ready() const { return bursts_.size() < outstanding_; }
  // A granted burst lacks beats; they are taken while data_ready().
  [[nodiscard]] bool data_expected() const { return complete_ < bursts_.size(); }
  [[nodiscard]] bool data_ready(std::uint64_t cycle) const {
    return data_expected() && cycle >= data_from_;
  }
  // From which cycle on the next beat is taken, if a burst was granted.
  [[nodiscard]] std::uint64_t data_from() const { return data_from_; }
  // Whether the oldest burst is answered in this cycle.
  [[nodiscard]] bool responds(std::uint64_t cycle) const {
    return complete_ != 0 && cycle >= bursts_.front().due;
  }
  // Bursts at the front with all their beats; while there are any, the cycle from which on the
  // oldest can be answered.
  [[nodiscard]] std::uint32_t complete() const { return complete_; }
  [[nodiscard]] std::uint64_t due() const { return bursts_.front().due; }

  void respond() {
    bursts_.pop();
    --complete_;
  }
  // The next beat is taken.
  void take_data(std::uint64_t cycle) {
    if (write_hold_ != 0 || beat_ != 1) hold(cycle);
    Burst& burst = bursts_[complete_];
    if (--burst.left != 0) return;
    burst.due = std::max(burst.due, cycle + 1);
    ++complete_;
  }
  void take(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats) {
    Burst& burst = bursts_.push();
    burst.due = timing_.request(cycle, address, beats) + std::uint64_t{beats - 1} * beat_;
    burst.left = beats;
  }

 private:
  struct Burst {
    std::uint64_t due = 0;  // earliest response
    std::uint32_t left = 0;
  };

  // With the seed of reads both directions would have the same jitter.
  static MemoryTimingParameters other_jitter(MemoryTimingParameters parameters) {
    parameters.seed ^= 0x5bd1e995U;
    return parameters;
  }

  void hold(std::uint64_t cycle) {
    data_from_ = cycle + beat_;
    if (write_hold_ == 0) return;
    data_from_ += memory_jitter_hash(hold_seed_, number_++) % (std::uint64_t{write_hold_} + 1);
  }

  MemoryPortTiming timing_;
  std::uint32_t hold_seed_;
  std::uint32_t write_hold_;
  std::uint32_t beat_;
  std::uint64_t data_from_ = 0;
  std::uint64_t number_ = 0;  // of the next beat, counted with a hold only
  std::uint32_t outstanding_;
  std::uint32_t complete_ = 0;
  Ring<Burst, timing::write_bursts> bursts_;
};

}  // namespace tandem
