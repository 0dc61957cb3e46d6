// fp32 arithmetic, compares and conversions: slots va and vb.
#include <cstddef>
#include <cstdint>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"
#include "isa/numerics/host_vector.hpp"

namespace tandem::golden::execute {
namespace {

using Unary = void(std::uint32_t*, const std::uint32_t*, std::size_t);
using Binary = void(std::uint32_t*, const std::uint32_t*, const std::uint32_t*, std::size_t);

void apply(Core& core, const MicroOp& op, Unary* function) {
  use_x(core, op);
  function(core.vector(op.d), x_words(core, op), core.words());
  core.marks.define_vector(op.d);
}

void apply(Core& core, const MicroOp& op, Binary* function) {
  use_xy(core, op);
  function(core.vector(op.d), x_words(core, op), y_words(core, op), core.words());
  core.marks.define_vector(op.d);
}

void compare(Core& core, const MicroOp& op, Binary* function) {
  use_xy(core, op);
  function(core.mask(op.d), x_words(core, op), y_words(core, op), core.words());
}

}  // namespace

void vadd_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_add_array); }
void vsub_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_sub_array); }
void vmul_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_mul_array); }
void vmulerr_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_mul_error_array); }
void vmin_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_min_array); }
void vmax_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_max_array); }
void veq_f32(Core& core, const MicroOp& op) { compare(core, op, numerics::f32_eq_array); }
void vne_f32(Core& core, const MicroOp& op) { compare(core, op, numerics::f32_ne_array); }
void vlt_f32(Core& core, const MicroOp& op) { compare(core, op, numerics::f32_lt_array); }
void vle_f32(Core& core, const MicroOp& op) { compare(core, op, numerics::f32_le_array); }
void vfloor_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_floor_array); }
void vround_f32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_nearest_array); }
void vcvt_f32_s32(Core& core, const MicroOp& op) { apply(core, op, numerics::f32_from_s32_array); }
void vcvt_s32_f32(Core& core, const MicroOp& op) {
  apply(core, op, numerics::f32_to_s32_nearest_array);
}
void vtrunc_s32_f32(Core& core, const MicroOp& op) {
  apply(core, op, numerics::f32_to_s32_truncated_array);
}
void vpack_bf16(Core& core, const MicroOp& op) { apply(core, op, numerics::bf16_pack_array); }

}  // namespace tandem::golden::execute
