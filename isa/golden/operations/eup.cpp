// The transcendental unit (slot xu).
#include <cstddef>
#include <cstdint>

#include "isa/golden/operations/vector_sources.hpp"
#include "isa/golden/semantics.hpp"
#include "isa/numerics/host_vector.hpp"

namespace tandem::golden::execute {
namespace {

using Function = void(std::uint32_t*, const std::uint32_t*, std::size_t);

void apply(Core& core, const MicroOp& op, Function* function) {
  use_vector(core, op, op.vx);
  function(core.vector(op.d), core.vector(op.vx), core.words());
  core.marks.define_vector(op.d);
}

}  // namespace

void exp2(Core& core, const MicroOp& op) { apply(core, op, numerics::eup_exp2_array); }
void log2(Core& core, const MicroOp& op) { apply(core, op, numerics::eup_log2_array); }
void rcp(Core& core, const MicroOp& op) { apply(core, op, numerics::eup_rcp_array); }
void rsqrt(Core& core, const MicroOp& op) { apply(core, op, numerics::eup_rsqrt_array); }
void tanh(Core& core, const MicroOp& op) { apply(core, op, numerics::eup_tanh_array); }

}  // namespace tandem::golden::execute
