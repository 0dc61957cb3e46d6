// Shared by the unit benches: a clock, and random operands biased to the corners of fp32.
#pragma once

#include <verilated.h>
#include <array>
#include <cstdint>
#include <memory>

namespace tandem::bench {

inline constexpr unsigned lanes = 16;  // of every bench module
inline constexpr unsigned elements = 8 * lanes;

using Vector = std::array<uint32_t, elements>;

// splitmix64: the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e37'79b9'7f4a'7c15;
    z = (z ^ z >> 30) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ z >> 27) * 0x94d0'49bb'1331'11eb;
    return z ^ z >> 31;
  }
  // 0 .. n - 1
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
  bool chance(uint32_t percent) { return below(100) < percent; }

 private:
  uint64_t state_;
};

// An fp32 pattern: NaNs, infinities, zeros, subnormals, limits of the exponent and of whole
// numbers, long runs of ones or zeros in the fraction, or anything.
inline uint32_t corner_f32(Random& random) {
  static constexpr std::array<uint32_t, 20> specials{
      0x0000'0000, 0x0000'0001, 0x0040'0000, 0x007f'ffff, 0x0080'0000, 0x0080'0001, 0x00ff'ffff,
      0x3f80'0000, 0x3f00'0000, 0x3eff'ffff, 0x3f7f'ffff, 0x4b00'0000, 0x4b7f'ffff, 0x4f00'0000,
      0x4eff'ffff, 0x7f00'0000, 0x7f7f'ffff, 0x7f80'0000, 0x7f80'0001, 0x7fc0'0000};
  const uint32_t sign = random.below(2) << 31;
  const auto bits = static_cast<uint32_t>(random.next());
  switch (random.below(6)) {
    case 0: return sign | specials[random.below(specials.size())];
    case 1: return sign | random.below(4) << 23 | (bits & 0x7f'ffff);           // near underflow
    case 2: return sign | (252 + random.below(4)) << 23 | (bits & 0x7f'ffff);   // near overflow
    case 3: return sign | (120 + random.below(42)) << 23 | (bits & 0x7f'ffff);  // whole numbers
    case 4:
      return sign | (bits & 0x7f80'0000) |
             ((random.below(2) != 0 ? 0x7f'ffff : 0) ^ 1u << random.below(24)) % 0x80'0000;
    default: return bits;
  }
}

// A partner for `a`: close in exponent so that sums cancel, round and tie, or of its own.
inline uint32_t corner_partner(Random& random, uint32_t a) {
  const uint32_t choice = random.below(4);
  if (choice == 0) return corner_f32(random);
  const uint32_t exponent = (a >> 23) + random.below(57) - 28;
  const auto bits = static_cast<uint32_t>(random.next());
  const uint32_t sign = random.below(2) << 31;
  if (choice == 1) return sign | (exponent & 0xff) << 23 | (bits & 0x7f'ffff);
  if (choice == 2) return sign | (exponent & 0xff) << 23 | (1u << random.below(24)) % 0x80'0000;
  return (a ^ sign) + random.below(9) - 4;
}

// A Verilated module with clk_i and rst_ni, out of a reset of one edge. Registers, and all inputs
// through that reset, begin as `seed` draws them. Behind it stand the inputs still so: who derives
// from this lowers those that start something, before the first cycle.
template <typename Module>
class Bench {
 public:
  explicit Bench(uint64_t seed = 1) : context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(2);
    context_->randSeed(static_cast<int>(Random(seed).next() | 1));  // 0 would be any
    module_ = std::make_unique<Module>(context_.get());
    module_->clk_i = 0;
    module_->rst_ni = 0;
    module_->eval();  // or the edge would be none
    clock();
    module_->rst_ni = 1;
    module_->eval();
  }
  ~Bench() { module_->final(); }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Module* operator->() { return module_.get(); }

  // One cycle; inputs are those of the cycle that ends, outputs afterwards those of the next.
  void clock() {
    module_->clk_i = 1;
    module_->eval();
    module_->clk_i = 0;
    module_->eval();
  }
  // Lets outputs follow inputs within a cycle.
  void settle() { module_->eval(); }

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Module> module_;
};

template <typename Wide>
void put(Wide& wide, const Vector& values) {
  for (unsigned i = 0; i < elements; ++i) wide[i] = values[i];
}

template <typename Wide>
Vector get(const Wide& wide) {
  Vector values;
  for (unsigned i = 0; i < elements; ++i) values[i] = wide[i];
  return values;
}

}  // namespace tandem::bench
