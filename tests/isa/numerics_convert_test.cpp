// Conversions against references written the straightforward way in double precision, which holds
// every fp32 and s32 exactly.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "isa/numerics/convert.hpp"
#include "isa/numerics/float32.hpp"
#include "tests/isa/numerics_support.hpp"

using namespace tandem::numerics;
using namespace tandem::numerics_test;

namespace {

double value_of(uint32_t a) { return std::bit_cast<float>(f32_exponent(a) == 0 ? f32_sign(a) : a); }

uint32_t bits_of(double value) {
  if (std::isnan(value)) return 0x7fc0'0000;
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

uint32_t reference_floor(uint32_t a) { return bits_of(std::floor(value_of(a))); }
uint32_t reference_nearest(uint32_t a) { return bits_of(std::nearbyint(value_of(a))); }

uint32_t saturated(double whole) {
  if (std::isnan(whole)) return 0;
  if (whole >= 0x1p31) return 0x7fff'ffff;
  if (whole < -0x1p31) return 0x8000'0000;
  return static_cast<uint32_t>(static_cast<int32_t>(whole));
}

uint32_t reference_s32_nearest(uint32_t a) { return saturated(std::nearbyint(value_of(a))); }
uint32_t reference_s32_truncated(uint32_t a) { return saturated(std::trunc(value_of(a))); }
uint32_t reference_from_s32(uint32_t a) {
  return bits_of(static_cast<double>(static_cast<int32_t>(a)));
}

// Rounds the significand to 8 bits.
uint32_t reference_bf16(uint32_t a) {
  const double value = value_of(a);
  if (std::isnan(value)) return 0x7fc0;
  if (value == 0 || std::isinf(value)) return bits_of(value) >> 16;
  const int exponent = std::ilogb(value);
  const double rounded =
      std::scalbn(std::nearbyint(std::scalbn(value, 7 - exponent)), exponent - 7);
  return bits_of(rounded) >> 16;
}

uint32_t to_s32_nearest(uint32_t a) { return static_cast<uint32_t>(f32_to_s32_nearest(a)); }
uint32_t to_s32_truncated(uint32_t a) { return static_cast<uint32_t>(f32_to_s32_truncated(a)); }
uint32_t from_s32(uint32_t a) { return f32_from_s32(static_cast<int32_t>(a)); }
uint32_t to_bf16(uint32_t a) { return bf16_from_f32(a); }

struct Conversion {
  const char* name;
  uint32_t (*definition)(uint32_t);
  uint32_t (*reference)(uint32_t);
};

constexpr std::array<Conversion, 6> conversions = {{
    {"f32_floor", f32_floor, reference_floor},
    {"f32_nearest", f32_nearest, reference_nearest},
    {"f32_to_s32_nearest", to_s32_nearest, reference_s32_nearest},
    {"f32_to_s32_truncated", to_s32_truncated, reference_s32_truncated},
    {"f32_from_s32", from_s32, reference_from_s32},
    {"bf16_from_f32", to_bf16, reference_bf16},
}};

Difference check(const Conversion& conversion, uint32_t a) {
  return differ(conversion.name, a, 0, conversion.reference(a), conversion.definition(a));
}

Difference sweep(const Conversion& conversion, uint64_t first, uint64_t last, uint64_t step) {
  for (uint64_t a = first; a < last; a += step) {
    if (const auto difference = check(conversion, static_cast<uint32_t>(a))) return difference;
  }
  return std::nullopt;
}

// Corner patterns, and the neighbours of every half and whole number at every exponent.
Difference sweep_corners(const Conversion& conversion, uint64_t count) {
  Random random(5);
  for (uint64_t i = 0; i < count; ++i) {
    const uint32_t a = corner_operand(random);
    const int exponent = 118 + static_cast<int>(random.below(42));
    for (const uint32_t operand : {a, a + 1, with_exponent(a, exponent)}) {
      if (const auto difference = check(conversion, operand)) return difference;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Rounding to whole numbers keeps the sign of zero") {
  CHECK(f32_floor(0xbe80'0000) == 0xbf80'0000);    // floor(-0.25) = -1
  CHECK(f32_floor(0x3e80'0000) == 0x0000'0000);    // floor(0.25) = +0
  CHECK(f32_floor(0x8000'0001) == 0x8000'0000);    // a subnormal reads as -0
  CHECK(f32_nearest(0xbf00'0000) == 0x8000'0000);  // nearest(-0.5) = -0
  CHECK(f32_nearest(0x4020'0000) == 0x4000'0000);  // nearest(2.5) = 2
  CHECK(f32_nearest(0x4060'0000) == 0x4080'0000);  // nearest(3.5) = 4
  CHECK(f32_floor(0xff80'0000) == 0xff80'0000);
  CHECK(f32_nearest(0xffc0'1234) == 0x7fc0'0000);
}

TEST_CASE("fp32 to s32 saturates and takes NaN to zero") {
  CHECK(f32_to_s32_nearest(0x4f00'0000) == INT32_MAX);
  CHECK(f32_to_s32_nearest(0xcf00'0000) == INT32_MIN);
  CHECK(f32_to_s32_truncated(0xff80'0000) == INT32_MIN);
  CHECK(f32_to_s32_truncated(0x7fc0'0000) == 0);
  CHECK(f32_to_s32_nearest(0x3fc0'0000) == 2);     // 1.5
  CHECK(f32_to_s32_truncated(0xbfff'ffff) == -1);  // just above -2
  CHECK(f32_from_s32(INT32_MIN) == 0xcf00'0000);
  CHECK(f32_from_s32(INT32_MAX) == 0x4f00'0000);
}

TEST_CASE("Packing to bf16 rounds to even and flushes before rounding") {
  CHECK(bf16_from_f32(0x3f80'8000) == 0x3f80);
  CHECK(bf16_from_f32(0x3f81'8000) == 0x3f82);
  CHECK(bf16_from_f32(0x3f80'8001) == 0x3f81);
  CHECK(bf16_from_f32(0x007f'ffff) == 0x0000);
  CHECK(bf16_from_f32(0x807f'ffff) == 0x8000);
  CHECK(bf16_from_f32(0x7f7f'ffff) == 0x7f80);
  CHECK(bf16_from_f32(0xff80'0001) == 0x7fc0);
  CHECK(bf16_pack_pair(0x3f80'0000, 0xc000'0000) == 0xc000'3f80);
}

TEST_CASE("s8 saturates inserts and extracts by byte") {
  CHECK(s8_saturate(127) == 127);
  CHECK(s8_saturate(128) == 127);
  CHECK(s8_saturate(-128) == -128);
  CHECK(s8_saturate(INT32_MIN) == -128);
  CHECK(s8_insert(0x1122'3344, 2, -1000) == 0x1180'3344);
  CHECK(s8_insert(0x1122'3344, 0, 300) == 0x1122'337f);
  CHECK(s8_extract(0x80ff'7f01, 3) == -128);
  CHECK(s8_extract(0x80ff'7f01, 1) == 127);
  CHECK(f32_from_s8(0x80ff'7f01, 2) == 0xbf80'0000);
}

TEST_CASE("Conversions equal double precision on corners and a slice of all inputs") {
  for (const Conversion& conversion : conversions) {
    REQUIRE_NO_DIFFERENCE(sweep_corners(conversion, 500'000));
    REQUIRE_NO_DIFFERENCE(sweep(conversion, 0, 1ull << 32, 1021));
  }
}

TEST_CASE("Conversions equal double precision on all inputs", "[.nightly]") {
  for (const Conversion& conversion : conversions) {
    REQUIRE_NO_DIFFERENCE(in_two_threads(
        [&](uint64_t first, uint64_t last) { return sweep(conversion, first, last, 1); }));
  }
}
