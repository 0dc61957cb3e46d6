// Reductions over lanes and over sublanes (slot xu); the result is in every lane or sublane.
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"
#include "isa/numerics/compare.hpp"
#include "isa/numerics/host_vector.hpp"

namespace tandem::golden::execute {
namespace {

using Words = std::span<const std::uint32_t>;

std::int32_t as_signed(std::uint32_t word) { return static_cast<std::int32_t>(word); }

// Puts results[r] into every lane of row r.
void spread_lanes(Core& core, const MicroOp& op, const std::uint32_t* results) {
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    std::fill_n(core.vector(op.d) + r * core.lanes(), core.lanes(), results[r]);
  }
  core.marks.define_vector(op.d);
}

// Puts results[j] into lane j of every row.
void spread_sublanes(Core& core, const MicroOp& op, const std::uint32_t* results) {
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    std::copy_n(results, core.lanes(), core.vector(op.d) + r * core.lanes());
  }
  core.marks.define_vector(op.d);
}

template <typename Reduce>
void reduce_lanes(Core& core, const MicroOp& op, Reduce reduce) {
  use_vector(core, op, op.vx);
  std::array<std::uint32_t, sublanes> results{};
  const Words x = core.state.vector(op.vx);
  for (std::uint32_t r = 0; r < sublanes; ++r) {
    results[r] = reduce(x.subspan(std::size_t{r} * core.lanes(), core.lanes()));
  }
  spread_lanes(core, op, results.data());
}

template <typename Reduce>
void reduce_sublanes(Core& core, const MicroOp& op, Reduce reduce) {
  use_vector(core, op, op.vx);
  std::uint32_t* results = core.scratch.z.data();
  const std::uint32_t* x = core.vector(op.vx);
  const std::uint32_t lanes = core.lanes();
  for (std::uint32_t j = 0; j < lanes; ++j) {
    std::array<std::uint32_t, sublanes> column{};
    for (std::uint32_t r = 0; r < sublanes; ++r) column[r] = x[r * lanes + j];
    results[j] = reduce(Words(column));
  }
  spread_sublanes(core, op, results);
}

// Maxima and minima of fp32 go over order keys, whose order does not matter, so that the compiler
// can vectorize them.
std::uint32_t from_key(std::int32_t key) {
  const auto bits = static_cast<std::uint32_t>(key);
  return key < 0 ? bits ^ 0x7fff'ffffU : bits;
}

template <typename Better>
std::uint32_t best_f32(Words values, Better better) {
  std::int32_t best = numerics::f32_order_key(values[0]);
  bool nan = false;
  for (const std::uint32_t value : values) {
    best = better(best, numerics::f32_order_key(value));
    nan |= numerics::f32_is_nan(value);
  }
  return nan ? numerics::f32_canonical_nan : from_key(best);
}

std::uint32_t maximum_f32(Words values) {
  return best_f32(values, [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
}
std::uint32_t minimum_f32(Words values) {
  return best_f32(values, [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
}
std::uint32_t index_f32(Words values) {
  return static_cast<std::uint32_t>(numerics::f32_index_of_max(values));
}

std::uint32_t sum_s32(Words values) {
  std::uint32_t sum = 0;
  for (const std::uint32_t value : values) sum += value;
  return sum;
}
std::uint32_t maximum_s32(Words values) {
  std::int32_t best = INT32_MIN;
  for (const std::uint32_t value : values) best = std::max(best, as_signed(value));
  return static_cast<std::uint32_t>(best);
}
std::uint32_t minimum_s32(Words values) {
  std::int32_t best = INT32_MAX;
  for (const std::uint32_t value : values) best = std::min(best, as_signed(value));
  return static_cast<std::uint32_t>(best);
}
std::uint32_t index_s32(Words values) {
  const std::uint32_t best = maximum_s32(values);
  return static_cast<std::uint32_t>(std::find(values.begin(), values.end(), best) - values.begin());
}

}  // namespace

void lsum_f32(Core& core, const MicroOp& op) {
  use_vector(core, op, op.vx);
  std::array<std::uint32_t, sublanes> sums{};
  numerics::f32_lane_sums(sums.data(), core.vector(op.vx), sublanes, core.lanes());
  spread_lanes(core, op, sums.data());
}
void lmax_f32(Core& core, const MicroOp& op) { reduce_lanes(core, op, maximum_f32); }
void lmin_f32(Core& core, const MicroOp& op) { reduce_lanes(core, op, minimum_f32); }
void largmax_f32(Core& core, const MicroOp& op) { reduce_lanes(core, op, index_f32); }
void lsum_s32(Core& core, const MicroOp& op) { reduce_lanes(core, op, sum_s32); }
void lmax_s32(Core& core, const MicroOp& op) { reduce_lanes(core, op, maximum_s32); }
void lmin_s32(Core& core, const MicroOp& op) { reduce_lanes(core, op, minimum_s32); }
void largmax_s32(Core& core, const MicroOp& op) { reduce_lanes(core, op, index_s32); }

void ssum_f32(Core& core, const MicroOp& op) {
  use_vector(core, op, op.vx);
  std::uint32_t* sums = core.scratch.z.data();
  numerics::f32_sublane_sums(sums, core.vector(op.vx), sublanes, core.lanes());
  spread_sublanes(core, op, sums);
}
void smax_f32(Core& core, const MicroOp& op) { reduce_sublanes(core, op, maximum_f32); }
void smin_f32(Core& core, const MicroOp& op) { reduce_sublanes(core, op, minimum_f32); }
void sargmax_f32(Core& core, const MicroOp& op) { reduce_sublanes(core, op, index_f32); }
void ssum_s32(Core& core, const MicroOp& op) { reduce_sublanes(core, op, sum_s32); }
void smax_s32(Core& core, const MicroOp& op) { reduce_sublanes(core, op, maximum_s32); }
void smin_s32(Core& core, const MicroOp& op) { reduce_sublanes(core, op, minimum_s32); }
void sargmax_s32(Core& core, const MicroOp& op) { reduce_sublanes(core, op, index_s32); }

}  // namespace tandem::golden::execute
