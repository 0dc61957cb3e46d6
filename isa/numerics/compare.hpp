// fp32 minimum, maximum and compares on bit patterns, and the order that they and the lane
// reductions share (docs/numerics.md). Subnormal inputs read as zero of their sign.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "isa/numerics/float32.hpp"

namespace tandem::numerics {

// A signed key that orders all non-NaN values, -0 just below +0.
constexpr int32_t f32_order_key(uint32_t a) {
  const uint32_t flushed = f32_flush_input(a);
  const uint32_t key = f32_sign(flushed) != 0 ? flushed ^ 0x7fff'ffff : flushed;
  return static_cast<int32_t>(key);
}

constexpr uint32_t f32_min(uint32_t a, uint32_t b) {
  if (f32_is_nan(a) || f32_is_nan(b)) return f32_canonical_nan;
  return f32_flush_input(f32_order_key(a) <= f32_order_key(b) ? a : b);
}

constexpr uint32_t f32_max(uint32_t a, uint32_t b) {
  if (f32_is_nan(a) || f32_is_nan(b)) return f32_canonical_nan;
  return f32_flush_input(f32_order_key(a) >= f32_order_key(b) ? a : b);
}

constexpr bool f32_eq(uint32_t a, uint32_t b) {
  if (f32_is_nan(a) || f32_is_nan(b)) return false;
  return f32_flush_input(a) == f32_flush_input(b) || (f32_reads_zero(a) && f32_reads_zero(b));
}

constexpr bool f32_ne(uint32_t a, uint32_t b) { return !f32_eq(a, b); }

constexpr bool f32_lt(uint32_t a, uint32_t b) {
  if (f32_is_nan(a) || f32_is_nan(b)) return false;
  if (f32_reads_zero(a) && f32_reads_zero(b)) return false;
  return f32_order_key(a) < f32_order_key(b);
}

constexpr bool f32_le(uint32_t a, uint32_t b) { return f32_lt(a, b) || f32_eq(a, b); }

// Index of the first NaN, else of the first element that f32_max over all of them equals, -0 below
// +0. `values` is not empty.
constexpr size_t f32_index_of_max(std::span<const uint32_t> values) {
  size_t best = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (f32_is_nan(values[i])) return i;
    if (f32_order_key(values[i]) > f32_order_key(values[best])) best = i;
  }
  return best;
}

// Sum of a power-of-two count of lanes as a binary tree over neighbours: lanes 2i and 2i+1 first.
// Works in place; `values` is scratch afterwards.
constexpr uint32_t f32_tree_sum(std::span<uint32_t> values) {
  for (size_t count = values.size(); count > 1; count /= 2) {
    for (size_t i = 0; i < count / 2; ++i) values[i] = f32_add(values[2 * i], values[2 * i + 1]);
  }
  return values[0];
}

}  // namespace tandem::numerics
