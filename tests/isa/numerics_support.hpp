// Shared by the arithmetic tests: operands biased to the corners, and sweeps that report the first
// difference instead of asserting a billion times.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

namespace tandem::numerics_test {

// splitmix64: the same sequence everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next() {
    state_ += 0x9e37'79b9'7f4a'7c15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
    return z ^ (z >> 31);
  }
  uint32_t bits() { return static_cast<uint32_t>(next() >> 32); }
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>((next() >> 32) * limit >> 32); }

 private:
  uint64_t state_;
};

inline constexpr std::array<uint32_t, 28> corner_values = {
    0x0000'0000, 0x8000'0000,               // zeros
    0x0000'0001, 0x8000'0001, 0x007f'ffff,  // subnormals
    0x807f'ffff, 0x0040'0000, 0x0080'0000,  // ... and the smallest normal
    0x8080'0000, 0x0080'0001, 0x00ff'ffff, 0x7f7f'ffff, 0xff7f'ffff,
    0x7f00'0000, 0x7f80'0000, 0xff80'0000,  // infinities
    0x7fc0'0000, 0xffc0'0000, 0x7f80'0001,  // NaN, quiet and signalling
    0xff80'0001, 0x7fff'ffff, 0x3f80'0000, 0xbf80'0000, 0x3f7f'ffff,
    0x3f80'0001, 0x4b00'0000, 0xcf00'0000, 0x4f00'0000,  // 2^23, -2^31, 2^31
};

// Significands made of runs: they produce ties, sticky bits and carries.
inline uint32_t corner_fraction(Random& random) {
  const uint32_t ones = (1u << random.below(24)) - 1;
  const uint32_t moved = ones << random.below(24) & 0x7f'ffff;
  const uint32_t flip = random.below(2) == 0 ? 0 : 1u << random.below(23);
  return random.below(2) == 0 ? moved ^ flip : (~moved ^ flip) & 0x7f'ffff;
}

inline uint32_t corner_operand(Random& random) {
  const uint32_t kind = random.below(8);
  if (kind == 0) return corner_values[random.below(corner_values.size())];
  if (kind <= 2) return random.bits();
  const uint32_t sign = random.bits() & 0x8000'0000;
  return sign | random.below(256) << 23 | corner_fraction(random);
}

struct Pair {
  uint32_t a;
  uint32_t b;
};

inline uint32_t with_exponent(uint32_t value, int exponent) {
  const int clamped = exponent < 0 ? 0 : exponent > 255 ? 255 : exponent;
  return (value & 0x807f'ffff) | static_cast<uint32_t>(clamped) << 23;
}

// b near a in magnitude (cancellation), or b's exponent a shift away, or a product near the
// underflow or overflow border, or unrelated.
inline Pair corner_pair(Random& random) {
  const uint32_t a = corner_operand(random);
  const uint32_t b = corner_operand(random);
  const int exponent = static_cast<int>(a >> 23 & 0xff);
  switch (random.below(8)) {
    case 0: return {a, (a ^ 0x8000'0000) + random.below(9) - 4};
    case 1: return {a, (a ^ (1u << random.below(32)))};
    case 2:
    case 3: return {a, with_exponent(b, exponent - static_cast<int>(random.below(30)))};
    case 4: return {a, with_exponent(b, 127 - exponent + static_cast<int>(random.below(5)) - 2)};
    case 5: return {a, with_exponent(b, 382 - exponent + static_cast<int>(random.below(5)) - 2)};
    default: return {a, b};
  }
}

using Difference = std::optional<std::string>;

inline Difference differ(const char* what, uint32_t a, uint32_t b, uint32_t expected,
                         uint32_t got) {
  if (expected == got) return std::nullopt;
  return fmt::format("{}({:08x}, {:08x}): expected {:08x}, got {:08x}", what, a, b, expected, got);
}

// Runs sweep(first, last) over both halves of [0, 2^32) at once; the first half's report wins.
template <typename Sweep>
Difference in_two_threads(Sweep sweep) {
  constexpr uint64_t middle = 1ull << 31;
  Difference upper;
  std::thread worker([&] { upper = sweep(middle, 2 * middle); });
  Difference lower = sweep(uint64_t{0}, middle);
  worker.join();
  return lower ? lower : upper;
}

}  // namespace tandem::numerics_test

// Passes when a sweep found no difference, else shows it.
#define REQUIRE_NO_DIFFERENCE(...)              \
  do {                                          \
    const auto difference = (__VA_ARGS__);      \
    INFO(difference.value_or("no difference")); \
    REQUIRE_FALSE(difference.has_value());      \
  } while (false)
