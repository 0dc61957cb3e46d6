// Puts this thread's floating-point unit into the machine's rounding rules (to nearest even,
// subnormal inputs and results flushed) for as long as the object lives. The array functions of
// host_vector.hpp and host_matmul.hpp need one alive on the calling thread.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace tandem::numerics {

class FlushScope {
 public:
  FlushScope() : saved_(_mm_getcsr()) {
    _mm_setcsr((saved_ & ~rounding_mode) | flush | exceptions);
  }
  ~FlushScope() { _mm_setcsr(saved_); }
  FlushScope(const FlushScope&) = delete;
  FlushScope& operator=(const FlushScope&) = delete;

  [[nodiscard]] static bool active() {
    return (_mm_getcsr() & (flush | rounding_mode | exceptions)) == (flush | exceptions);
  }

 private:
  static constexpr uint32_t flush = 0x8040;          // FTZ and DAZ
  static constexpr uint32_t rounding_mode = 0x6000;  // 0: to nearest even
  static constexpr uint32_t exceptions = 0x1f80;     // all masked
  uint32_t saved_;
};

// The opposite, inside a FlushScope: external code runs meanwhile, under the host's default rules,
// and any changes that it makes to them are undone.
class DefaultScope {
 public:
  DefaultScope() : saved_(_mm_getcsr()) { _mm_setcsr(exceptions_masked); }
  ~DefaultScope() { _mm_setcsr(saved_); }
  DefaultScope(const DefaultScope&) = delete;
  DefaultScope& operator=(const DefaultScope&) = delete;

 private:
  static constexpr uint32_t exceptions_masked = 0x1f80;
  uint32_t saved_;
};

}  // namespace tandem::numerics
