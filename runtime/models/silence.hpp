// Distinguishes a busy machine from one that will never retire a bundle again.
#pragma once

#include <cstdint>

#include "runtime/models/machine.hpp"

namespace tandem {

class SilenceWatch {
 public:
  explicit SilenceWatch(std::uint64_t limit) : limit_(limit) {}

  // To be called periodically; true once nothing has happened for `limit` cycles. An idle
  // instruction is not silence: it may ask for 2^32 cycles.
  bool silent(const Machine& machine, std::uint64_t events) {
    const std::uint64_t sum = machine.bundles() + machine.memory_beats() + events;
    if (sum != last_sum_ || machine.cause() == StallCause::idling) {
      last_sum_ = sum;
      since_ = machine.cycles();
    }
    return machine.cycles() - since_ >= limit_;
  }

  template <typename A>
  void archive(A& a) {
    a(last_sum_, since_);
  }

 private:
  std::uint64_t limit_;
  std::uint64_t last_sum_ = ~std::uint64_t{0};
  std::uint64_t since_ = 0;
};

// How many cycles to run between two checks.
inline constexpr std::uint64_t silence_interval = 4096;

}  // namespace tandem
