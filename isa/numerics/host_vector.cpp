// Plain loops: clang turns each into full-width vector code. The FPU's results are the machine's
// under a FlushScope (facts in docs/numerics.md) once NaN is made canonical.
#include "isa/numerics/host_vector.hpp"

#include <array>
#include <bit>
#include <cmath>

#include "isa/numerics/compare.hpp"
#include "isa/numerics/convert.hpp"
#include "isa/numerics/host_check.hpp"

#pragma STDC FP_CONTRACT OFF

namespace tandem::numerics {
namespace {

float to_float(uint32_t a) { return std::bit_cast<float>(a); }

uint32_t to_bits(float a) {
  const auto bits = std::bit_cast<uint32_t>(a);
  return a != a ? f32_canonical_nan : bits;
}

// The result may be an input, which never makes one element depend on another: the pragma states
// this, or the run-time overlap check would send in-place calls to scalar code.
template <typename Operation>
void for_each_pair(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n,
                   Operation operation) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < n; ++i) result[i] = operation(a[i], b[i]);
}

template <typename Operation>
void for_each(uint32_t* result, const uint32_t* a, size_t n, Operation operation) {
#pragma clang loop vectorize(assume_safety)
  for (size_t i = 0; i < n; ++i) result[i] = operation(a[i]);
}

template <typename Relation>
void compare(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n, Relation relation) {
  require_flush_scope();
  for (size_t word = 0; word < n / 32; ++word) {
    std::array<uint32_t, 32> one;
    for (size_t i = 0; i < 32; ++i) {
      const bool holds = relation(to_float(a[32 * word + i]), to_float(b[32 * word + i]));
      one[i] = static_cast<uint32_t>(holds) << i;
    }
    uint32_t all = 0;
    for (const uint32_t bit : one) all |= bit;
    bits[word] = all;
  }
}

// min and max by keys: the FPU's own differ on NaN and on zeros.
uint32_t select_by_key(uint32_t a, uint32_t b, bool take_a) {
  const uint32_t chosen = f32_flush_input(take_a ? a : b);
  const bool nan = f32_is_nan(a) || f32_is_nan(b);
  return nan ? f32_canonical_nan : chosen;
}

// `whole` is a rounded to a whole number by the host.
uint32_t saturated_s32(float whole) {
  const bool fits = whole >= -0x1p31F && whole < 0x1p31F;
  const auto value = static_cast<uint32_t>(static_cast<int32_t>(fits ? whole : 0.0F));
  const uint32_t limit = whole > 0 ? 0x7fff'ffff : 0x8000'0000;
  return fits ? value : whole != whole ? 0 : limit;
}

}  // namespace

void f32_add_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n) {
  require_flush_scope();
  for_each_pair(result, a, b, n,
                [](uint32_t x, uint32_t y) { return to_bits(to_float(x) + to_float(y)); });
}

void f32_sub_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n) {
  require_flush_scope();
  for_each_pair(result, a, b, n,
                [](uint32_t x, uint32_t y) { return to_bits(to_float(x) - to_float(y)); });
}

void f32_mul_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n) {
  require_flush_scope();
  for_each_pair(result, a, b, n,
                [](uint32_t x, uint32_t y) { return to_bits(to_float(x) * to_float(y)); });
}

// A double holds a product of two fp32 exactly, and so the difference to its rounding.
void f32_mul_error_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n) {
  require_flush_scope();
  for_each_pair(result, a, b, n, [](uint32_t x, uint32_t y) {
    const double exact = static_cast<double>(to_float(x)) * static_cast<double>(to_float(y));
    const auto rounded = static_cast<float>(exact);
    const auto error = static_cast<float>(exact - static_cast<double>(rounded));
    if (rounded != rounded) return f32_canonical_nan;
    return f32_is_infinite(std::bit_cast<uint32_t>(rounded)) ? 0U : to_bits(error);
  });
}

void f32_min_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n) {
  for_each_pair(result, a, b, n, [](uint32_t x, uint32_t y) {
    return select_by_key(x, y, f32_order_key(x) <= f32_order_key(y));
  });
}

void f32_max_array(uint32_t* result, const uint32_t* a, const uint32_t* b, size_t n) {
  for_each_pair(result, a, b, n, [](uint32_t x, uint32_t y) {
    return select_by_key(x, y, f32_order_key(x) >= f32_order_key(y));
  });
}

void f32_eq_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n) {
  compare(bits, a, b, n, [](float x, float y) { return x == y; });
}

void f32_ne_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n) {
  compare(bits, a, b, n, [](float x, float y) { return x != y; });
}

void f32_lt_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n) {
  compare(bits, a, b, n, [](float x, float y) { return x < y; });
}

void f32_le_array(uint32_t* bits, const uint32_t* a, const uint32_t* b, size_t n) {
  compare(bits, a, b, n, [](float x, float y) { return x <= y; });
}

void f32_floor_array(uint32_t* result, const uint32_t* a, size_t n) {
  for_each(result, a, n,
           [](uint32_t x) { return to_bits(std::floor(to_float(f32_flush_input(x)))); });
}

void f32_nearest_array(uint32_t* result, const uint32_t* a, size_t n) {
  require_flush_scope();  // for the rounding mode
  for_each(result, a, n,
           [](uint32_t x) { return to_bits(std::nearbyint(to_float(f32_flush_input(x)))); });
}

void f32_from_s32_array(uint32_t* result, const uint32_t* a, size_t n) {
  require_flush_scope();
  for_each(result, a, n, [](uint32_t x) {
    return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(x)));
  });
}

void f32_to_s32_nearest_array(uint32_t* result, const uint32_t* a, size_t n) {
  require_flush_scope();
  for_each(result, a, n, [](uint32_t x) { return saturated_s32(std::nearbyint(to_float(x))); });
}

void f32_to_s32_truncated_array(uint32_t* result, const uint32_t* a, size_t n) {
  for_each(result, a, n, [](uint32_t x) { return saturated_s32(to_float(x)); });
}

void bf16_pack_array(uint32_t* result, const uint32_t* low, const uint32_t* high, size_t n) {
  for_each_pair(result, low, high, n, bf16_pack_pair);
}

void f32_lane_sums(uint32_t* sums, const uint32_t* a, size_t rows, size_t lanes) {
  require_flush_scope();
  for (size_t row = 0; row < rows; ++row) {
    std::array<float, 128> level;
    for (size_t i = 0; i < lanes; ++i) level[i] = to_float(a[row * lanes + i]);
    for (size_t count = lanes / 2; count > 0; count /= 2) {
      for (size_t i = 0; i < count; ++i) level[i] = level[2 * i] + level[2 * i + 1];
    }
    sums[row] = to_bits(level[0]);
  }
}

void f32_sublane_sums(uint32_t* sums, const uint32_t* a, size_t rows, size_t lanes) {
  require_flush_scope();
  for (size_t lane = 0; lane < lanes; ++lane) {
    float sum = to_float(a[lane]);
    for (size_t row = 1; row < rows; ++row) sum += to_float(a[row * lanes + lane]);
    sums[lane] = to_bits(sum);
  }
}

}  // namespace tandem::numerics
