// s32 and u32 arithmetic, logic, shifts, bit counts, compares and s8 packing: slots va and vb.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"
#include "isa/numerics/convert.hpp"

namespace tandem::golden::execute {
namespace {

std::int32_t as_signed(std::uint32_t word) { return static_cast<std::int32_t>(word); }

// A destination may be one of the sources; elements never depend on each other.
template <typename Function>
void map_x(Core& core, const MicroOp& op, Function function) {
  use_x(core, op);
  const std::uint32_t* x = x_words(core, op);
  std::uint32_t* d = core.vector(op.d);
  const std::uint32_t n = core.words();
#pragma clang loop vectorize(assume_safety)
  for (std::uint32_t i = 0; i < n; ++i) d[i] = function(x[i]);
  core.marks.define_vector(op.d);
}

template <typename Function>
void map_xy(Core& core, const MicroOp& op, Function function) {
  use_xy(core, op);
  const std::uint32_t* x = x_words(core, op);
  const std::uint32_t* y = y_words(core, op);
  std::uint32_t* d = core.vector(op.d);
  const std::uint32_t n = core.words();
#pragma clang loop vectorize(assume_safety)
  for (std::uint32_t i = 0; i < n; ++i) d[i] = function(x[i], y[i]);
  core.marks.define_vector(op.d);
}

template <typename Relation>
void compare(Core& core, const MicroOp& op, Relation relation) {
  use_xy(core, op);
  const std::uint32_t* x = x_words(core, op);
  const std::uint32_t* y = y_words(core, op);
  std::uint32_t* d = core.mask(op.d);
  for (std::uint32_t word = 0; word < core.state.mask_words(); ++word, x += 32, y += 32) {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < 32; ++i) {
      bits |= static_cast<std::uint32_t>(relation(x[i], y[i])) << i;
    }
    d[word] = bits;
  }
}

}  // namespace

void vpack_s8(Core& core, const MicroOp& op) {
  map_xy(core, op, [byte = op.value](std::uint32_t x, std::uint32_t y) {
    return numerics::s8_insert(x, byte, as_signed(y));
  });
}
void vext_s32_s8(Core& core, const MicroOp& op) {
  map_x(core, op, [byte = op.value](std::uint32_t x) {
    return static_cast<std::uint32_t>(numerics::s8_extract(x, byte));
  });
}
void vext_f32_s8(Core& core, const MicroOp& op) {
  map_x(core, op, [byte = op.value](std::uint32_t x) { return numerics::f32_from_s8(x, byte); });
}

void vadd_s32(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return x + y; });
}
void vsub_s32(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return x - y; });
}
void vmul_s32(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return x * y; });
}
void vand(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return x & y; });
}
void vor(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return x | y; });
}
void vxor(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return x ^ y; });
}
void vshl(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return y < 32 ? x << y : 0; });
}
void vshr(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return y < 32 ? x >> y : 0; });
}
void vsar(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::uint32_t>(as_signed(x) >> std::min(y, 31U));
  });
}
void vrotl(Core& core, const MicroOp& op) {
  map_xy(core, op,
         [](std::uint32_t x, std::uint32_t y) { return std::rotl(x, static_cast<int>(y & 31U)); });
}
void vclz(Core& core, const MicroOp& op) {
  map_x(core, op, [](std::uint32_t x) { return static_cast<std::uint32_t>(std::countl_zero(x)); });
}
void vpop(Core& core, const MicroOp& op) {
  map_x(core, op, [](std::uint32_t x) { return static_cast<std::uint32_t>(std::popcount(x)); });
}
void vmin_s32(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::uint32_t>(std::min(as_signed(x), as_signed(y)));
  });
}
void vmax_s32(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) {
    return static_cast<std::uint32_t>(std::max(as_signed(x), as_signed(y)));
  });
}
void vmin_u32(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return std::min(x, y); });
}
void vmax_u32(Core& core, const MicroOp& op) {
  map_xy(core, op, [](std::uint32_t x, std::uint32_t y) { return std::max(x, y); });
}
void veq_s32(Core& core, const MicroOp& op) {
  compare(core, op, [](std::uint32_t x, std::uint32_t y) { return x == y; });
}
void vne_s32(Core& core, const MicroOp& op) {
  compare(core, op, [](std::uint32_t x, std::uint32_t y) { return x != y; });
}
void vlt_s32(Core& core, const MicroOp& op) {
  compare(core, op, [](std::uint32_t x, std::uint32_t y) { return as_signed(x) < as_signed(y); });
}
void vle_s32(Core& core, const MicroOp& op) {
  compare(core, op, [](std::uint32_t x, std::uint32_t y) { return as_signed(x) <= as_signed(y); });
}
void vlt_u32(Core& core, const MicroOp& op) {
  compare(core, op, [](std::uint32_t x, std::uint32_t y) { return x < y; });
}
void vle_u32(Core& core, const MicroOp& op) {
  compare(core, op, [](std::uint32_t x, std::uint32_t y) { return x <= y; });
}

}  // namespace tandem::golden::execute
