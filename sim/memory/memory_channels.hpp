// The memory's two channels at the native beat port, as far as time goes: which requests, beats and
// responses happen in which cycle (sim/memory/memory_timing.hpp gives the cycles). Shared by the
// memory behind the RTL (cosim/verilated/memory_device.hpp) and the cycle-exact model.
//
// Per cycle: first ready(), responds() and the like, which depend on state alone; then respond()
// and take...() tell of what happened, in this order.
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
        outstanding_(std::clamp(parameters.outstanding, 1U, timing::read_bursts)) {}

  [[nodiscard]] bool ready() const { return bursts_.size() < outstanding_; }
  // Whether a beat comes in this cycle.
  [[nodiscard]] bool responds(std::uint64_t cycle) const {
    return !bursts_.empty() && cycle >= bursts_.front().due;
  }
  // Bursts taken and not finished.
  [[nodiscard]] std::uint32_t size() const { return bursts_.size(); }
  // Of the oldest burst, while there is one: the cycle from which on its next beat can come, how
  // many are to come, and what take() was told.
  [[nodiscard]] std::uint64_t due() const { return bursts_.front().due; }
  [[nodiscard]] std::uint32_t beats_left() const { return bursts_.front().left; }
  [[nodiscard]] std::uint32_t tag() const { return bursts_.front().tag; }

  // The next beats come, one in each of n <= beats_left() cycles.
  void respond(std::uint32_t n = 1) {
    Burst& burst = bursts_.front();
    burst.due += n;
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
  std::uint32_t outstanding_;
  Ring<Burst, timing::read_bursts> bursts_;
};

// Write requests, beats of data in the order of requests, and a response to each burst: when timing
// says so and all its beats are there.
class MemoryWriteChannel {
 public:
  explicit MemoryWriteChannel(const MemoryTimingParameters& parameters)
      : timing_(other_jitter(parameters)),
        outstanding_(std::clamp(parameters.outstanding, 1U, timing::write_bursts)) {}

  [[nodiscard]] bool ready() const { return bursts_.size() < outstanding_; }
  [[nodiscard]] bool data_ready() const { return complete_ < bursts_.size(); }
  // Whether the oldest burst is answered in this cycle.
  [[nodiscard]] bool responds(std::uint64_t cycle) const {
    return complete_ != 0 && cycle >= bursts_.front().due;
  }
  // Bursts at the front with all their beats; while there are any, the cycle from which on the
  // oldest can be answered.
  [[nodiscard]] std::uint32_t complete() const { return complete_; }
  [[nodiscard]] std::uint64_t due() const { return bursts_.front().due; }
  // Of the burst that the next beat belongs to, while data_ready(): beats to be taken.
  [[nodiscard]] std::uint32_t beats_left() const { return bursts_[complete_].left; }

  void respond() {
    bursts_.pop();
    --complete_;
  }
  // The next beats are taken, one in each of n <= beats_left() cycles up to this one.
  void take_data(std::uint64_t cycle, std::uint32_t n = 1) {
    Burst& burst = bursts_[complete_];
    burst.left -= n;
    if (burst.left != 0) return;
    burst.due = std::max(burst.due, cycle + 1);
    ++complete_;
  }
  void take(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats) {
    Burst& burst = bursts_.push();
    burst.due = timing_.request(cycle, address, beats) + beats - 1;
    burst.left = beats;
  }

 private:
  struct Burst {
    std::uint64_t due = 0;  // earliest response
    std::uint32_t left = 0;
  };

  // With the seed of reads both directions would jitter alike.
  static MemoryTimingParameters other_jitter(MemoryTimingParameters parameters) {
    parameters.seed ^= 0x5bd1e995U;
    return parameters;
  }

  MemoryPortTiming timing_;
  std::uint32_t outstanding_;
  std::uint32_t complete_ = 0;
  Ring<Burst, timing::write_bursts> bursts_;
};

}  // namespace tandem
