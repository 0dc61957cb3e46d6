// EUP functions against libm in double precision: the promised ulp wherever the rounded true result
// is normal, a flushed zero of the right sign, an infinity or NaN elsewhere.
#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <mutex>

#include "isa/numerics/eup.hpp"
#include "tests/isa/numerics_support.hpp"

using namespace tandem::numerics;
using namespace tandem::numerics_test;

namespace {

struct Function {
  const char* name;
  uint32_t (*definition)(uint32_t);
  double (*reference)(double);
  double allowed_ulp;
};

constexpr std::array<Function, 5> functions = {{
    {"exp2", eup_exp2, [](double x) { return std::exp2(x); }, 1},
    {"log2", eup_log2, [](double x) { return std::log2(x); }, 1},
    {"rcp", eup_rcp, [](double x) { return 1 / x; }, 1},
    {"rsqrt", eup_rsqrt, [](double x) { return 1 / std::sqrt(x); }, 1},
    {"tanh", eup_tanh, [](double x) { return std::tanh(x); }, 2},
}};

// The required result for a true result that is not normal once rounded, or nothing.
std::optional<uint32_t> exact_result(double truth) {
  if (std::isnan(truth)) return 0x7fc0'0000;
  const uint32_t sign = std::signbit(truth) ? 0x8000'0000 : 0;
  if (truth == 0) return sign;
  if (std::isinf(truth)) return sign | 0x7f80'0000;
  // Rounded to 24 bits without a limit on the exponent.
  const int exponent = std::ilogb(truth);
  const auto significand = static_cast<float>(std::scalbn(std::fabs(truth), -exponent));
  const int rounded = exponent + (significand == 2.0F ? 1 : 0);
  if (rounded < -126) return sign;
  if (rounded > 127) return sign | 0x7f80'0000;
  return std::nullopt;
}

// Error in units of the last place of the true result's binade.
double error_ulp(uint32_t got, double truth) {
  const double value = std::bit_cast<float>(got);
  return std::fabs(value - truth) * std::scalbn(1.0, 23 - std::ilogb(truth));
}

struct Worst {
  double ulp = 0;
  uint32_t at = 0;
  Difference violation;
};

void measure(const Function& function, uint32_t a, Worst& worst) {
  const uint32_t got = function.definition(a);
  const double truth = function.reference(std::bit_cast<float>(f32_flush_input(a)));
  if (const auto exact = exact_result(truth)) {
    if (got != *exact) worst.violation = differ(function.name, a, 0, *exact, got);
    return;
  }
  const double ulp = error_ulp(got, truth);
  if (ulp > worst.ulp) worst = {ulp, a, worst.violation};
  if (!(ulp <= function.allowed_ulp)) {
    worst.violation = fmt::format("{}({:08x}) = {:08x}: {} ulp off", function.name, a, got, ulp);
  }
}

Worst sweep(const Function& function, uint64_t first, uint64_t last, uint64_t step) {
  Worst worst;
  for (uint64_t a = first; a < last && !worst.violation; a += step) {
    measure(function, static_cast<uint32_t>(a), worst);
  }
  return worst;
}

Difference sweep_corners(const Function& function) {
  Worst worst;
  Random random(9);
  for (int i = 0; i < 300'000; ++i) measure(function, corner_operand(random), worst);
  return worst.violation;
}

float value_of(uint32_t a) { return std::bit_cast<float>(a); }
uint32_t bits_of(float a) { return std::bit_cast<uint32_t>(a); }

}  // namespace

TEST_CASE("EUP special values are those of machine.md") {
  constexpr uint32_t inf = 0x7f80'0000;
  constexpr uint32_t minus_inf = 0xff80'0000;
  constexpr uint32_t nan = 0x7fc0'0000;
  constexpr uint32_t minus_zero = 0x8000'0000;
  CHECK(eup_exp2(minus_inf) == 0);
  CHECK(eup_exp2(inf) == inf);
  CHECK(eup_exp2(0) == 0x3f80'0000);
  CHECK(eup_exp2(0x8000'0001) == 0x3f80'0000);
  CHECK(eup_log2(0) == minus_inf);
  CHECK(eup_log2(0x807f'ffff) == minus_inf);
  CHECK(eup_log2(0xbf80'0000) == nan);
  CHECK(eup_log2(minus_inf) == nan);
  CHECK(eup_log2(inf) == inf);
  CHECK(eup_log2(0x3f80'0000) == 0);
  CHECK(eup_rcp(0) == inf);
  CHECK(eup_rcp(minus_zero) == minus_inf);
  CHECK(eup_rcp(inf) == 0);
  CHECK(eup_rcp(minus_inf) == minus_zero);
  CHECK(eup_rsqrt(0) == inf);
  CHECK(eup_rsqrt(0x8000'0001) == minus_inf);
  CHECK(eup_rsqrt(0xbf80'0000) == nan);
  CHECK(eup_rsqrt(inf) == 0);
  CHECK(eup_tanh(0) == 0);
  CHECK(eup_tanh(minus_zero) == minus_zero);
  CHECK(eup_tanh(inf) == 0x3f80'0000);
  CHECK(eup_tanh(minus_inf) == 0xbf80'0000);
  for (const Function& function : functions) {
    for (const uint32_t a : {0x7f80'0001u, 0xffc0'0000u, 0x7fff'ffffu}) {
      CHECK(function.definition(a) == nan);
    }
  }
}

TEST_CASE("EUP is exact on powers of two") {
  for (int e = -126; e <= 127; ++e) {
    const uint32_t power = bits_of(std::scalbn(1.0F, e));
    CHECK(eup_exp2(bits_of(static_cast<float>(e))) == power);
    CHECK(eup_log2(power) == bits_of(static_cast<float>(e)));
    if (e <= 126) CHECK(eup_rcp(power) == bits_of(std::scalbn(1.0F, -e)));
    if (e % 2 == 0) CHECK(eup_rsqrt(power) == bits_of(std::scalbn(1.0F, -e / 2)));
  }
}

TEST_CASE("tanh is odd and never passes one") {
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const uint32_t a = with_exponent(random.bits(), 120 + static_cast<int>(random.below(14)));
    REQUIRE(eup_tanh(a ^ 0x8000'0000) == (eup_tanh(a) ^ 0x8000'0000));
    REQUIRE(std::fabs(value_of(eup_tanh(a))) <= 1.0F);
  }
}

// The worked examples of docs/numerics.md, for other implementations.
TEST_CASE("EUP gives the worked examples of the manual") {
  struct Example {
    uint32_t (*function)(uint32_t);
    uint32_t a;
    uint32_t result;
  };
  constexpr std::array<Example, 10> examples = {{
      {eup_exp2, 0x3f00'0000, 0x3fb5'04f3},
      {eup_exp2, 0xc0a4'28f6, 0x3ce9'f0da},
      {eup_log2, 0x4040'0000, 0x3fca'e00d},
      {eup_log2, 0x3f7f'ffff, 0xb3b8'aa3c},
      {eup_rcp, 0x4041'2345, 0x3ea9'a949},
      {eup_rcp, 0xfe7f'ffff, 0x8080'0000},
      {eup_rsqrt, 0x4000'0000, 0x3f35'04f3},
      {eup_rsqrt, 0x40a1'b2c3, 0x3ee3'c48b},
      {eup_tanh, 0x3f01'2345, 0x3eee'63d0},
      {eup_tanh, 0xc040'cafe, 0xbf7e'c3d2},
  }};
  for (const Example& example : examples) CHECK(example.function(example.a) == example.result);
}

TEST_CASE("Every table keeps its widths and its results positive") {
  for (const EupTable& table : eup_tables) {
    for (const EupSegment& segment : table.segments) {
      CHECK(segment.c0 < 1 << eup_c0_bits);
      CHECK(std::abs(segment.c1) < 1 << (eup_c1_bits - 1));
      CHECK(std::abs(segment.c2) < 1 << (eup_c2_bits - 1));
      for (const uint32_t dx : {0u, 0x8'0000u, 0xf'ffffu}) {
        CHECK(eup_quadratic(segment, dx) >> eup_c0_bits == 0);
        CHECK(eup_quadratic(segment, dx) > 0);
      }
    }
  }
}

TEST_CASE("EUP stays within its ulp on corners and a slice of all inputs") {
  for (const Function& function : functions) {
    REQUIRE_NO_DIFFERENCE(sweep_corners(function));
    REQUIRE_NO_DIFFERENCE(sweep(function, 0, 1ull << 32, 1021).violation);
  }
}

TEST_CASE("EUP stays within its ulp on all inputs", "[.nightly]") {
  for (const Function& function : functions) {
    std::mutex mutex;
    Worst worst;
    REQUIRE_NO_DIFFERENCE(in_two_threads([&](uint64_t first, uint64_t last) {
      const Worst half = sweep(function, first, last, 1);
      const std::scoped_lock lock(mutex);
      if (half.ulp > worst.ulp) worst = half;
      return half.violation;
    }));
    fmt::print("{}: at most {:.4f} ulp off, at {:08x}\n", function.name, worst.ulp, worst.at);
  }
}
