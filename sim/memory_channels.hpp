// The memory's two channels at the native beat port, as far as time goes: which requests, beats and
// responses happen in which cycle (sim/memory_timing.hpp gives the cycles). Shared by the memory
// behind the RTL (cosim/memory_device.hpp) and the cycle-exact model.
//
// Per cycle: first ready(), responds() and the like, which depend on state alone; then respond()
// and take...() tell of what happened, in this order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "isa/timing.hpp"
#include "sim/memory_timing.hpp"
#include "sim/ring.hpp"

namespace tandem {

// A burst that memory has taken and not finished.
struct MemoryBurst {
  std::uint64_t address = 0;
  std::uint64_t first = 0;  // of a read: cycle of the first beat; of a write: earliest response
  std::uint32_t beats = 0;
  std::uint32_t done = 0;  // beats given or taken
  std::uint8_t tag = 0;    // the user's own
};

// Read requests, and beats of data in the order of requests, at most one a cycle.
class MemoryReadChannel {
 public:
  explicit MemoryReadChannel(const MemoryTimingParameters& parameters)
      : timing_(parameters),
        outstanding_(std::clamp(parameters.outstanding, 1U, timing::read_bursts)) {}

  [[nodiscard]] bool ready() const { return bursts_.size() < outstanding_; }
  // Whether a beat comes in this cycle: the next one of front().
  [[nodiscard]] bool responds(std::uint64_t cycle) const {
    return !bursts_.empty() && cycle >= due();
  }
  [[nodiscard]] const MemoryBurst& front() const { return bursts_.front(); }
  [[nodiscard]] std::uint32_t size() const { return bursts_.size(); }
  // While there are bursts: the cycle from which on the next beat can come.
  [[nodiscard]] std::uint64_t due() const { return front().first + front().done; }

  void respond() {
    if (++bursts_.front().done == bursts_.front().beats) bursts_.pop();
  }
  void take(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats, std::uint8_t tag) {
    const std::uint64_t first = timing_.request(cycle, address, beats);
    bursts_.push({address, first, beats, 0, tag});
  }

 private:
  MemoryPortTiming timing_;
  std::uint32_t outstanding_;
  Ring<MemoryBurst, timing::read_bursts> bursts_;
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
  // Whether front() is answered in this cycle.
  [[nodiscard]] bool responds(std::uint64_t cycle) const {
    return complete_ != 0 && cycle >= bursts_.front().first;
  }
  [[nodiscard]] const MemoryBurst& front() const { return bursts_.front(); }
  // The burst that the next beat belongs to, while data_ready().
  [[nodiscard]] const MemoryBurst& filling() const { return bursts_[complete_]; }
  [[nodiscard]] std::uint32_t size() const { return bursts_.size(); }
  [[nodiscard]] std::uint32_t complete() const { return complete_; }  // bursts with all their beats

  void respond() {
    bursts_.pop();
    --complete_;
  }
  void take_data(std::uint64_t cycle) {
    MemoryBurst& burst = bursts_[complete_];
    if (++burst.done < burst.beats) return;
    burst.first = std::max(burst.first, cycle + 1);
    ++complete_;
  }
  void take(std::uint64_t cycle, std::uint64_t address, std::uint32_t beats, std::uint8_t tag) {
    const std::uint64_t last = timing_.request(cycle, address, beats) + beats - 1;
    bursts_.push({address, last, beats, 0, tag});
  }

 private:
  // With the seed of reads both directions would jitter alike.
  static MemoryTimingParameters other_jitter(MemoryTimingParameters parameters) {
    parameters.seed ^= 0x5bd1e995U;
    return parameters;
  }

  MemoryPortTiming timing_;
  std::uint32_t outstanding_;
  std::uint32_t complete_ = 0;  // bursts at the front with all their beats
  Ring<MemoryBurst, timing::write_bursts> bursts_;
};

}  // namespace tandem
