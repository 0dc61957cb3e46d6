// Running sums, maxima and minima along rows, a chunk of lanes at a time.
//
// Within a chunk each lane takes in those 1, 2, 4, ... lanes before it. The chunk's total, in all
// lanes, goes on to the next chunk; it does not depend on the chunks before, so that only one
// operation of the vector units is between two chunks.
//
// There are too few masks for a pipeline of such loops, so that the first lanes, which have none
// before them, get by without: a sum adds zero there, and a maximum or minimum takes in the first
// lane again.
#include "compiler/tpu/rows/row_lowering.hpp"

namespace tandem::compiler::rows {

// The lanes `step` before each, or after it; in lanes without any, what changes nothing.
Value RowLowering::moved_lanes(Value value, const Combiner& combiner, std::int64_t step,
                               bool from_end) {
  const std::int64_t all = parameters_.lanes;
  const Value lane = make("vlane");
  if (combiner.identity != 0) {
    const Value from =
        from_end ? make("vmin.s32", {make("vadd.s32", {lane, constant(step)}), constant(all - 1)})
                 : make("vmax.s32", {make("vsub.s32", {lane, constant(step)}), constant(0)});
    return make("lperm", {value, from});
  }
  constexpr std::int64_t sign = 31;  // its place: all ones, or zero
  const Value below = from_end ? make("vsub.s32", {lane, constant(all - step)})
                               : make("vsub.s32", {constant(step - 1), lane});
  const Value some = make("vsar", {below, constant(sign)});
  const Value moved = make("lrot", value, number("n", from_end ? all - step : step));
  return make("vand", {moved, some});
}

// The chunk of `value`, and its result to where the operation writes.
void RowLowering::scan(std::size_t position, Value value, const Column& at, std::int64_t count,
                       const Lanes& lanes) {
  const RowOp& op = ops_[position];
  const std::int64_t all = parameters_.lanes;
  const Combiner combiner = combiner_at(position);
  if (const Value mask = mask_of(lanes); mask && op.from_end) {
    value = make("vsel", {mask, value, make("vmov", constant(combiner.identity))});
  }
  const std::int64_t reach = std::min(all, op.columns);
  for (std::int64_t step = 1; step < reach; step *= 2) {
    value = make(combiner.vector, {value, moved_lanes(value, combiner, step, op.from_end)});
  }
  Value& before = group_->sums[position];
  const Value total = make("lbcast", value, number("n", op.from_end ? 0 : all - 1));
  if (before) value = make(combiner.vector, {before, value});
  before = before ? make(combiner.vector, {before, total}) : total;
  store(op.operands.back(), at, count, lanes, value);
}

}  // namespace tandem::compiler::rows
