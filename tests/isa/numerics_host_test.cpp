// The host fast path against the integer definition: unary array functions, sums, MXU rows.
#include <catch2/catch.hpp>
#include <functional>
#include <span>
#include <vector>

#include "isa/numerics/compare.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/eup.hpp"
#include "isa/numerics/flush_scope.hpp"
#include "isa/numerics/host_matmul.hpp"
#include "isa/numerics/host_vector.hpp"
#include "tests/isa/numerics_support.hpp"

using namespace tandem::numerics;
using namespace tandem::numerics_test;

namespace {

using Unary = uint32_t (*)(uint32_t);
using OnArray = void (*)(uint32_t*, const uint32_t*, size_t);
using Binary = uint32_t (*)(uint32_t, uint32_t);
using OnArrays = void (*)(uint32_t*, const uint32_t*, const uint32_t*, size_t);

constexpr size_t chunk = 4099;  // odd, so that every loop has a tail

Difference sweep_unary(const char* name, Unary definition, OnArray host, uint64_t count) {
  const FlushScope flush;
  Random random(21);
  std::vector<uint32_t> a(chunk);
  std::vector<uint32_t> got(chunk);
  for (uint64_t done = 0; done < count; done += chunk) {
    for (uint32_t& value : a) value = corner_operand(random);
    host(got.data(), a.data(), chunk);
    for (size_t i = 0; i < chunk; ++i) {
      if (const auto d = differ(name, a[i], 0, definition(a[i]), got[i])) return d;
    }
  }
  return std::nullopt;
}

Difference sweep_binary(const char* name, Binary definition, OnArrays host, uint64_t count) {
  const FlushScope flush;
  Random random(22);
  std::vector<uint32_t> a(chunk);
  std::vector<uint32_t> b(chunk);
  std::vector<uint32_t> got(chunk);
  for (uint64_t done = 0; done < count; done += chunk) {
    for (size_t i = 0; i < chunk; ++i) {
      const Pair pair = corner_pair(random);
      a[i] = pair.a;
      b[i] = pair.b;
    }
    got = a;
    host(got.data(), got.data(), b.data(), chunk);  // in place
    for (size_t i = 0; i < chunk; ++i) {
      if (const auto d = differ(name, a[i], b[i], definition(a[i], b[i]), got[i])) return d;
    }
  }
  return std::nullopt;
}

uint32_t from_s32(uint32_t a) { return f32_from_s32(static_cast<int32_t>(a)); }
uint32_t to_s32_nearest(uint32_t a) { return static_cast<uint32_t>(f32_to_s32_nearest(a)); }
uint32_t to_s32_truncated(uint32_t a) { return static_cast<uint32_t>(f32_to_s32_truncated(a)); }

// Operands of one MXU multiply. `spread` is the range of exponents: small ones cancel and round,
// large ones overflow and flush.
struct Multiply {
  size_t rows;
  size_t lanes;
  std::vector<uint32_t> activations;
  std::vector<uint16_t> weights;

  Multiply(size_t row_count, size_t lane_count, Random& random, uint32_t spread)
      : rows(row_count),
        lanes(lane_count),
        activations(row_count * lane_count),
        weights(lane_count * lane_count) {
    for (uint32_t& value : activations) value = operand(random, spread) << 16;
    for (uint16_t& value : weights) value = static_cast<uint16_t>(operand(random, spread));
  }

  static uint32_t operand(Random& random, uint32_t spread) {
    const uint32_t any = corner_operand(random) >> 16;
    if (spread >= 256) return any;
    const uint32_t exponent = 127 - spread / 2 + random.below(spread);
    return (any & 0x807f) | exponent << 7;
  }
};

uint32_t defined_bf16_sum(const Multiply& m, size_t row, size_t column) {
  uint32_t sum = 0;
  for (size_t k = 0; k < m.lanes; ++k) {
    const auto activation = static_cast<uint16_t>(m.activations[row * m.lanes + k] >> 16);
    sum = f32_add(sum, bf16_product(activation, m.weights[k * m.lanes + column]));
  }
  return sum;
}

uint32_t defined_s8_sum(const Multiply& m, size_t row, size_t column) {
  int64_t sum = 0;
  for (size_t k = 0; k < m.lanes; ++k) {
    const auto activation = static_cast<int32_t>(m.activations[row * m.lanes + k]);
    sum += activation * int64_t{static_cast<int16_t>(m.weights[k * m.lanes + column])};
  }
  return static_cast<uint32_t>(sum);
}

using Sum = uint32_t (*)(const Multiply&, size_t, size_t);
using Kernel = void (*)(uint32_t*, const uint32_t*, const uint16_t*, size_t, size_t);

Difference check_multiply(const Multiply& m, Sum defined, Kernel kernel) {
  const FlushScope flush;
  std::vector<uint32_t> sums(m.rows * m.lanes, 0xdead'beef);
  kernel(sums.data(), m.activations.data(), m.weights.data(), m.rows, m.lanes);
  for (size_t row = 0; row < m.rows; ++row) {
    for (size_t column = 0; column < m.lanes; ++column) {
      const uint32_t expected = defined(m, row, column);
      const auto d = differ("sum", static_cast<uint32_t>(row), static_cast<uint32_t>(column),
                            expected, sums[row * m.lanes + column]);
      if (d) return d;
    }
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("Unary array functions equal the integer definition") {
  constexpr uint64_t count = 1'000'000;
  REQUIRE_NO_DIFFERENCE(sweep_unary("floor", f32_floor, f32_floor_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_unary("nearest", f32_nearest, f32_nearest_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_unary("from_s32", from_s32, f32_from_s32_array, count));
  REQUIRE_NO_DIFFERENCE(
      sweep_unary("to_s32_nearest", to_s32_nearest, f32_to_s32_nearest_array, count));
  REQUIRE_NO_DIFFERENCE(
      sweep_unary("to_s32_truncated", to_s32_truncated, f32_to_s32_truncated_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_unary("exp2", eup_exp2, eup_exp2_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_unary("log2", eup_log2, eup_log2_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_unary("rcp", eup_rcp, eup_rcp_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_unary("rsqrt", eup_rsqrt, eup_rsqrt_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_unary("tanh", eup_tanh, eup_tanh_array, count));
}

TEST_CASE("Binary array functions equal the integer definition in place") {
  constexpr uint64_t count = 1'000'000;
  REQUIRE_NO_DIFFERENCE(sweep_binary("add", f32_add, f32_add_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_binary("sub", f32_sub, f32_sub_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_binary("mul", f32_mul, f32_mul_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_binary("mul_error", f32_mul_error, f32_mul_error_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_binary("min", f32_min, f32_min_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_binary("max", f32_max, f32_max_array, count));
  REQUIRE_NO_DIFFERENCE(sweep_binary("pack", bf16_pack_pair, bf16_pack_array, count));
}

TEST_CASE("MXU bf16 sums equal the definition for all heights and presets") {
  Random random(31);
  for (const size_t lanes : {8, 16, 64, 128}) {
    for (size_t rows = 1; rows <= 8; ++rows) {
      for (const uint32_t spread : {1u, 8u, 60u, 180u, 250u, 256u}) {
        const Multiply multiply(rows, lanes, random, spread);
        INFO("lanes " << lanes << " rows " << rows << " spread " << spread);
        REQUIRE_NO_DIFFERENCE(check_multiply(multiply, defined_bf16_sum, mxu_sums_bf16));
      }
    }
  }
}

TEST_CASE("MXU s8 sums equal the definition for all heights and presets") {
  Random random(32);
  for (const size_t lanes : {8, 16, 64, 128}) {
    for (size_t rows = 1; rows <= 8; ++rows) {
      Multiply multiply(rows, lanes, random, 256);
      const auto s8 = [&] { return static_cast<int8_t>(random.bits()); };
      for (uint32_t& value : multiply.activations) value = static_cast<uint32_t>(s8());
      for (uint16_t& value : multiply.weights) value = static_cast<uint16_t>(s8());
      REQUIRE_NO_DIFFERENCE(check_multiply(multiply, defined_s8_sum, mxu_sums_s8));
    }
  }
}

TEST_CASE("A column of negative zeros sums to positive zero") {
  const FlushScope flush;
  const std::vector<uint32_t> activations(8, 0x8000'0000);
  const std::vector<uint16_t> weights(64, 0x3f80);
  std::vector<uint32_t> sums(8, 0xffff'ffff);
  mxu_sums_bf16(sums.data(), activations.data(), weights.data(), 1, 8);
  CHECK(sums == std::vector<uint32_t>(8, 0));
}

TEST_CASE("Accumulators add in fp32 and wrap in s32") {
  const FlushScope flush;
  std::vector<uint32_t> wrapping = {0x7fff'ffff, 1};
  const std::vector<uint32_t> ones = {1, 1};
  mxu_accumulate_s32(wrapping.data(), ones.data(), 2);
  CHECK(wrapping == std::vector<uint32_t>{0x8000'0000, 2});
  std::vector<uint32_t> floats = {0x7f80'0000, 0x3f80'0000};
  const std::vector<uint32_t> added = {0xff80'0000, 0x3f80'0000};
  mxu_accumulate_f32(floats.data(), added.data(), 2);
  CHECK(floats == std::vector<uint32_t>{0x7fc0'0000, 0x4000'0000});
}

TEST_CASE("Lane and sublane sums equal the definition") {
  const FlushScope flush;
  Random random(33);
  for (const size_t lanes : {8, 16, 64, 128}) {
    std::vector<uint32_t> a(8 * lanes);
    for (uint32_t& value : a) value = with_exponent(random.bits(), 120 + random.below(16));
    a[3] = 0xff80'0001;
    std::vector<uint32_t> by_row(8);
    std::vector<uint32_t> by_lane(lanes);
    f32_lane_sums(by_row.data(), a.data(), 8, lanes);
    f32_sublane_sums(by_lane.data(), a.data(), 8, lanes);
    for (size_t lane = 0; lane < lanes; ++lane) {
      uint32_t sum = a[lane];
      for (size_t row = 1; row < 8; ++row) sum = f32_add(sum, a[row * lanes + lane]);
      CHECK(by_lane[lane] == sum);
    }
    for (size_t row = 0; row < 8; ++row) {
      CHECK(by_row[row] == f32_tree_sum(std::span(a).subspan(row * lanes, lanes)));
    }
  }
}

TEST_CASE("A flush scope restores what it found") {
  const uint32_t before = _mm_getcsr();
  CHECK_FALSE(FlushScope::active());
  {
    const FlushScope flush;
    CHECK(FlushScope::active());
  }
  CHECK((_mm_getcsr() & 0xffc0) == (before & 0xffc0));
}
