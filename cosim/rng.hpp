// Our own random numbers, so that a seed means the same program on every machine and library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tandem {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 0x1234567) {}

  std::uint64_t next64() {  // splitmix64
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  }
  std::uint32_t next() { return static_cast<std::uint32_t>(next64() >> 32U); }
  // Uniform in [0, n); n > 0.
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>((std::uint64_t{next()} * n) >> 32U);
  }
  // Uniform in [low, high].
  std::int32_t between(std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(below(static_cast<std::uint32_t>(high - low) + 1));
  }
  bool chance(std::uint32_t percent) { return below(100) < percent; }

  template <typename T, std::size_t N>
  const T& pick(const T (&items)[N]) {
    return items[below(N)];
  }
  template <typename T>
  const T& pick(std::span<const T> items) {
    return items[below(static_cast<std::uint32_t>(items.size()))];
  }

 private:
  std::uint64_t state_;
};

}  // namespace tandem
