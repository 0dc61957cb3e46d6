// fp32 add, subtract, multiply, min, max, compares and the bf16 product: the integer definition
// against the host FPU with FTZ and DAZ, which the array functions use.
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "isa/numerics/compare.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/float32.hpp"
#include "isa/numerics/flush_scope.hpp"
#include "isa/numerics/host_vector.hpp"
#include "tests/isa/numerics_support.hpp"

using namespace tandem::numerics;
using namespace tandem::numerics_test;

namespace {

constexpr size_t chunk = 4096;
constexpr uint32_t nan_bits = 0x7fc0'0000;
constexpr uint32_t infinity = 0x7f80'0000;

using Definition = uint32_t (*)(uint32_t, uint32_t);
using OnArrays = void (*)(uint32_t*, const uint32_t*, const uint32_t*, size_t);
using Relation = bool (*)(uint32_t, uint32_t);

struct Operands {
  std::vector<uint32_t> a = std::vector<uint32_t>(chunk);
  std::vector<uint32_t> b = std::vector<uint32_t>(chunk);

  void refill(Random& random) {
    for (size_t i = 0; i < chunk; ++i) {
      const Pair pair = corner_pair(random);
      a[i] = pair.a;
      b[i] = pair.b;
    }
  }
};

Difference sweep(const char* name, Definition definition, OnArrays host, uint64_t count,
                 uint64_t seed) {
  const FlushScope flush;
  Random random(seed);
  Operands operands;
  std::vector<uint32_t> expected(chunk);
  for (uint64_t done = 0; done < count; done += chunk) {
    operands.refill(random);
    host(expected.data(), operands.a.data(), operands.b.data(), chunk);
    for (size_t i = 0; i < chunk; ++i) {
      const uint32_t a = operands.a[i];
      const uint32_t b = operands.b[i];
      const auto difference = differ(name, a, b, expected[i], definition(a, b));
      if (difference) return difference;
    }
  }
  return std::nullopt;
}

Difference sweep_relation(const char* name, Relation relation, OnArrays host, uint64_t count) {
  const FlushScope flush;
  Random random(7);
  Operands operands;
  std::vector<uint32_t> words(chunk / 32);
  for (uint64_t done = 0; done < count; done += chunk) {
    operands.refill(random);
    host(words.data(), operands.a.data(), operands.b.data(), chunk);
    for (size_t i = 0; i < chunk; ++i) {
      const uint32_t expected = words[i / 32] >> (i % 32) & 1;
      const uint32_t got = relation(operands.a[i], operands.b[i]) ? 1 : 0;
      const auto difference = differ(name, operands.a[i], operands.b[i], expected, got);
      if (difference) return difference;
    }
  }
  return std::nullopt;
}

// The product of every bf16 with first, first + step, ... below last.
Difference sweep_bf16_products(uint64_t first, uint64_t last, uint64_t step) {
  const FlushScope flush;
  std::vector<uint32_t> a(65536);
  std::vector<uint32_t> b(65536);
  std::vector<uint32_t> expected(65536);
  for (uint32_t i = 0; i < 65536; ++i) b[i] = i << 16;
  for (uint64_t left = first; left < last; left += step) {
    a.assign(65536, static_cast<uint32_t>(left << 16));
    f32_mul_array(expected.data(), a.data(), b.data(), 65536);
    for (uint32_t right = 0; right < 65536; ++right) {
      const uint32_t got = bf16_product(static_cast<uint16_t>(left), static_cast<uint16_t>(right));
      const auto difference =
          differ("bf16_product", static_cast<uint32_t>(left), right, expected[right], got);
      if (difference) return difference;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("fp32 add follows the rules for special values") {
  CHECK(f32_add(0x0000'0000, 0x8000'0000) == 0x0000'0000);
  CHECK(f32_add(0x8000'0000, 0x8000'0000) == 0x8000'0000);
  CHECK(f32_add(0x3f80'0000, 0xbf80'0000) == 0x0000'0000);
  CHECK(f32_add(infinity, 0xff80'0000) == nan_bits);
  CHECK(f32_add(infinity, infinity) == infinity);
  CHECK(f32_add(0xffff'ffff, 0x3f80'0000) == nan_bits);
  CHECK(f32_add(0x7f7f'ffff, 0x7f7f'ffff) == infinity);
  CHECK(f32_add(0x8000'0001, 0x8000'0001) == 0x8000'0000);  // subnormals read as -0
  CHECK(f32_add(0x0080'0001, 0x8080'0000) == 0x0000'0000);  // subnormal result flushes
  CHECK(f32_add(0x0080'0000, 0x8080'0001) == 0x8000'0000);  // ... to a zero of its sign
  CHECK(f32_add(0x3f80'0000, 0x3380'0000) == 0x3f80'0000);  // tie goes to even
  CHECK(f32_add(0x3f80'0001, 0x3380'0000) == 0x3f80'0002);
  CHECK(f32_sub(0x3f80'0000, 0x3f80'0000) == 0x0000'0000);
}

TEST_CASE("The error of a product is what its rounding left out") {
  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46; (2^24 - 1)^2 = 2^48 - 2^25 + 1 rounds down.
  CHECK(f32_mul_error(0x3f80'0001, 0x3f80'0001) == 0x2880'0000);
  CHECK(f32_mul_error(0x4b7f'ffff, 0x4b7f'ffff) == 0x3f80'0000);
  // 3 * (1 + 2^-23) = 3 + 3 * 2^-23 is a tie that rounds up to 3 + 2^-21: left out is -2^-23.
  CHECK(f32_mul_error(0x4040'0000, 0x3f80'0001) == 0xb400'0000);
  CHECK(f32_mul_error(0xc040'0000, 0x3f80'0001) == 0x3400'0000);
  CHECK(f32_mul_error(0x3fc0'0000, 0xbfc0'0000) == 0);            // exact
  CHECK(f32_mul_error(0x1f80'0001, 0x2000'0001) == 0);            // 2^-64 * 2^-63: too small
  CHECK(f32_mul_error(0x9f80'0000, 0x1f80'0000) == 0x8000'0000);  // a flushed product
  CHECK(f32_mul_error(0x7f7f'ffff, 0x7f7f'ffff) == 0);            // overflow
  CHECK(f32_mul_error(0x7f80'0000, 0xc000'0000) == 0);
  CHECK(f32_mul_error(0x7f80'0000, 0x0000'0000) == nan_bits);
  CHECK(f32_mul_error(0x7f80'0001, 0x3f80'0000) == nan_bits);
}

TEST_CASE("fp32 multiply follows the rules for special values") {
  CHECK(f32_mul(infinity, 0x0000'0000) == nan_bits);
  CHECK(f32_mul(infinity, 0x0000'0001) == nan_bits);  // a subnormal reads as zero
  CHECK(f32_mul(infinity, 0xc000'0000) == 0xff80'0000);
  CHECK(f32_mul(0x8000'0000, 0x4000'0000) == 0x8000'0000);
  CHECK(f32_mul(0x7f00'0000, 0x4080'0000) == infinity);
  CHECK(f32_mul(0x0080'0000, 0xbf00'0000) == 0x8000'0000);  // half the smallest normal
  CHECK(f32_mul(0x3fff'ffff, 0x007f'ffff) == 0x0000'0000);
  CHECK(f32_mul(0x3f7f'ffff, 0x0080'0000) == 0x0000'0000);  // exact, and subnormal
}

TEST_CASE("A product that rounds up to the smallest normal does not flush") {
  // (1 + 2^-23) / 2 * (2 - 2^-22) * 2^-126 = 2^-126 * (1 - 2^-46): subnormal before rounding only.
  CHECK(f32_mul(0x3f00'0001, 0x00ff'fffe) == 0x0080'0000);
}

TEST_CASE("Minimum and maximum order zeros and pass NaN on") {
  CHECK(f32_max(0x8000'0000, 0x0000'0000) == 0x0000'0000);
  CHECK(f32_max(0x0000'0000, 0x8000'0000) == 0x0000'0000);
  CHECK(f32_min(0x0000'0000, 0x8000'0000) == 0x8000'0000);
  CHECK(f32_min(0x8000'0000, 0x0000'0000) == 0x8000'0000);
  CHECK(f32_max(0x3f80'0000, 0x7f80'0001) == nan_bits);
  CHECK(f32_min(0xffc0'0000, 0x3f80'0000) == nan_bits);
  CHECK(f32_min(0x0000'0001, 0x3f80'0000) == 0x0000'0000);  // a subnormal flushes
  CHECK(f32_max(0x8000'0001, 0xff80'0000) == 0x8000'0000);
  CHECK(f32_max(0xc000'0000, 0xbf80'0000) == 0xbf80'0000);
}

TEST_CASE("Compares are false for NaN except ne") {
  for (const uint32_t other : {0x3f80'0000u, nan_bits, infinity}) {
    CHECK_FALSE(f32_eq(nan_bits, other));
    CHECK_FALSE(f32_lt(nan_bits, other));
    CHECK_FALSE(f32_le(other, nan_bits));
    CHECK(f32_ne(other, nan_bits));
  }
  CHECK(f32_eq(0x0000'0000, 0x8000'0000));
  CHECK(f32_eq(0x0000'0001, 0x8000'0000));
  CHECK_FALSE(f32_lt(0x8000'0000, 0x0000'0001));
  CHECK(f32_le(0x0000'0000, 0x8000'0000));
  CHECK(f32_lt(0xff80'0000, infinity));
}

TEST_CASE("Index of max finds the first NaN and else the first maximum") {
  const std::array<uint32_t, 4> ties = {0x3f80'0000, 0x4000'0000, 0x4000'0000, 0x8000'0000};
  const std::array<uint32_t, 4> nans = {0x7f80'0000, 0xffc0'0001, 0x7fc0'0000, 0x3f80'0000};
  const std::array<uint32_t, 4> zeros = {0x8000'0000, 0x8000'0001, 0x0000'0001, 0x0000'0000};
  CHECK(f32_index_of_max(ties) == 1);
  CHECK(f32_index_of_max(nans) == 1);
  CHECK(f32_index_of_max(zeros) == 2);
}

TEST_CASE("Integer add sub and mul equal the host FPU on ten million corner vectors each") {
  constexpr uint64_t count = 10'000'000;
  REQUIRE_NO_DIFFERENCE(sweep("f32_add", f32_add, f32_add_array, count, 1));
  REQUIRE_NO_DIFFERENCE(sweep("f32_sub", f32_sub, f32_sub_array, count / 4, 2));
  REQUIRE_NO_DIFFERENCE(sweep("f32_mul", f32_mul, f32_mul_array, count, 3));
}

TEST_CASE("Integer compares equal the host FPU on corner vectors") {
  constexpr uint64_t count = 2'000'000;
  REQUIRE_NO_DIFFERENCE(sweep_relation("f32_eq", f32_eq, f32_eq_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_relation("f32_ne", f32_ne, f32_ne_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_relation("f32_lt", f32_lt, f32_lt_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_relation("f32_le", f32_le, f32_le_array, count));
}

TEST_CASE("The bf16 product equals the host FPU for a slice of all pairs") {
  REQUIRE_NO_DIFFERENCE(sweep_bf16_products(0, 65536, 257));
}

TEST_CASE("Integer add and mul equal the host FPU on a billion corner vectors", "[.nightly]") {
  // Half the vectors per thread; the seed distinguishes the halves.
  constexpr uint64_t half = 500'000'000;
  REQUIRE_NO_DIFFERENCE(in_two_threads([](uint64_t first, uint64_t) {
    return sweep("f32_add", f32_add, f32_add_array, half, 11 + first);
  }));
  REQUIRE_NO_DIFFERENCE(in_two_threads([](uint64_t first, uint64_t) {
    return sweep("f32_mul", f32_mul, f32_mul_array, half, 12 + first);
  }));
}

TEST_CASE("The bf16 product equals the host FPU for all pairs", "[.nightly]") {
  REQUIRE_NO_DIFFERENCE(in_two_threads([](uint64_t first, uint64_t last) {
    return sweep_bf16_products(first >> 16, last >> 16, 1);
  }));
}
