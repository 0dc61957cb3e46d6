// Memory of the operations in the row layout (rows.cpp): a chunk of eight rows of an operand.
//
// The chunks of an operation are lanes of a frame: its column 0 is at lane `frame_` of chunk 0. An
// operand whose first lane in VMEM is that one is loaded and stored as it is; the chunks of any
// other are in two rows of VMEM each, and are rotated on the way. The frame is the one that leaves
// the least to rotate: a stencil's terms to the left and right are rotated, all others are not.
//
// Words before the first column and after the last one are neither read nor written: copies may be
// writing them.
#include "compiler/tpu/rows/row_lowering.hpp"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler::rows {

using mlir::OpFoldResult;

// The group's first row in the operand, at this chunk.
VmemAddress RowLowering::address(const RowOperand& operand, const Column& at) {
  const Spot& spot = operand.spot;
  OpFoldResult moved = at.from;
  if (spot.kind == Kind::full) {
    moved =
        spot.pitch == pitch_ ? at.start : plus(times(builder_, loc_, first_, spot.pitch), at.from);
  }
  if (spot.row.moved) moved = plus(moved, spot.row.moved);
  const std::int64_t beyond = spot.kind == Kind::full ? group_->beyond * spot.pitch : 0;
  return vmem_address(builder_, loc_, spot.row.fixed + at.number + beyond, moved, spot.row.buffer);
}

// The word of the group's first row in an operand with one value per row, where it is a constant.
std::optional<std::int64_t> RowLowering::fixed_word(const RowOperand& operand) const {
  const auto first = mlir::getConstantIntValue(first_);
  if (!first || operand.spot.row.moved) return std::nullopt;
  return operand.spot.row.fixed * parameters_.lanes + *first + group_->beyond;
}

Value RowLowering::load_row(const RowOperand& operand, std::int64_t count) {
  if (const auto fixed = fixed_word(operand)) {
    if (const Value kept = kept_.find(*fixed)) return kept;
  }
  OpFoldResult word = plus(first_, index(operand.spot.row.fixed * parameters_.lanes));
  if (const Value moved = operand.spot.row.moved) {
    word = plus(word, times(builder_, loc_, moved, parameters_.lanes));
  }
  VmemAddress address = vmem_address(builder_, loc_, group_->beyond, word, operand.spot.row.buffer);
  address.attributes.push_back(number("rows", count));
  return load_at(builder_, loc_, "vldc", address);
}

Value RowLowering::mask_of(const Lanes& lanes) {
  const bool is_all = lanes.end == parameters_.lanes;
  if (lanes.first == 0 && is_all) return {};
  const Value lane = make("vlane");
  if (lanes.first == 0) return make("vlt.s32", {lane, constant(lanes.end)});
  if (is_all) return make("vle.s32", {constant(lanes.first), lane});
  return make("vlt.u32",
              {make("vsub.s32", {lane, constant(lanes.first)}), constant(lanes.end - lanes.first)});
}

// The lanes of a chunk that columns are in.
RowLowering::Lanes RowLowering::lanes_of(std::int64_t chunk) const {
  const std::int64_t lanes = parameters_.lanes;
  const std::int64_t end = frame_ + ops_.front().columns - chunk * lanes;
  return {chunk == 0 ? frame_ : 0, std::min(end, lanes)};
}

// Chunks of a frame that begins at this lane.
std::int64_t RowLowering::chunks_from(std::int64_t lane) const {
  return (lane + ops_.front().columns + parameters_.lanes - 1) / parameters_.lanes;
}

// The lane of most operands, where chunks are written out; a frame with more chunks must be worth
// it.
std::int64_t RowLowering::best_frame() const {
  constexpr std::int64_t rotation = 4;  // of a chunk, compared with a load
  llvm::SmallVector<std::int64_t> lanes{0};
  for (const RowOp& op : ops_) {
    if (op.sums || op.scans) return 0;
    for (const RowOperand& operand : op.operands) {
      const bool is_chunked = operand.spot.kind != Kind::row && (operand.used || operand.is_output);
      if (is_chunked) lanes.push_back(operand.spot.lane);
    }
  }
  const auto cost = [&](std::int64_t frame) {
    const auto rotated =
        llvm::count_if(llvm::drop_begin(lanes), [&](auto l) { return l != frame; });
    return chunks_from(frame) * (rotation * rotated + static_cast<std::int64_t>(lanes.size()));
  };
  return *std::min_element(lanes.begin(), lanes.end(),
                           [&](auto one, auto other) { return cost(one) < cost(other); });
}

// Lanes of the row of VMEM at this chunk, for each row of the operand. Neighbouring chunks share
// it, and so do operands that begin in the same row, where chunks are written out.
Value RowLowering::line(const RowOperand& operand, const Column& at, std::int64_t count,
                        const Lanes& lanes) {
  const auto load = [&] {
    VmemAddress from = address(operand, at);
    from.attributes.push_back(number("rows", count));
    from.attributes.push_back(
        number("stride", operand.spot.kind == Kind::full ? operand.spot.pitch : 0));
    if (const Value mask = mask_of(lanes)) from.registers.push_back(mask);
    return load_at(builder_, loc_, "vld", from);
  };
  if (!written_out_) return load();
  RowOperand whole = operand;
  whole.spot.lane = 0;
  Value& value = group_->lines[{number_of(whole.spot), at.number, lanes}];
  if (!value) value = load();
  return value;
}

// How the lanes of a chunk are in two rows of VMEM.
RowLowering::Across RowLowering::across(const RowOperand& operand, const Column& at,
                                        const Lanes& lanes) const {
  const std::int64_t all = parameters_.lanes;
  const std::int64_t shift = (operand.spot.lane - frame_ + all) % all;
  Across result;
  result.shift = shift;
  result.at = at;
  if (operand.spot.lane < frame_) --result.at.number;
  result.next = result.at;
  ++result.next.number;
  result.here = {lanes.first + shift, std::min(lanes.end + shift, all)};
  result.there = {std::max<std::int64_t>(lanes.first + shift - all, 0), lanes.end + shift - all};
  return result;
}

Value RowLowering::load_across(const RowOperand& operand, const Column& at, std::int64_t count,
                               const Lanes& lanes) {
  const std::int64_t all = parameters_.lanes;
  Across place = across(operand, at, lanes);
  if (written_out_) {
    // Whole rows of VMEM, except for the ends of the operand.
    const std::int64_t end = operand.spot.lane + ops_.front().columns;
    const auto widen = [&](const Column& column, Lanes& part) {
      if (part.first >= part.end) return;
      part.first = column.number == 0 ? operand.spot.lane : 0;
      part.end = std::min(end - column.number * all, all);
    };
    widen(place.at, place.here);
    widen(place.next, place.there);
  }
  Value both;
  if (place.here.first < place.here.end) both = line(operand, place.at, count, place.here);
  if (place.there.first < place.there.end) {
    const Value next = line(operand, place.next, count, place.there);
    both = !both          ? next
           : written_out_ ? make("vsel", {mask_of({0, place.shift}), next, both})
                          : make("vor", {both, next});
  }
  return make("lrot", both, number("n", all - place.shift));
}

// A chunk of columns of the operand's eight rows, or fewer.
Value RowLowering::load(const RowOperand& operand, const Column& at, std::int64_t count,
                        const Lanes& lanes) {
  return operand.spot.lane == frame_ ? line(operand, at, count, lanes)
                                     : load_across(operand, at, count, lanes);
}

void RowLowering::store_line(const RowOperand& operand, const Column& at, std::int64_t count,
                             const Lanes& lanes, Value value) {
  if (lanes.first >= lanes.end) return;
  VmemAddress to = address(operand, at);
  to.registers.push_back(value);
  const bool is_full = operand.spot.kind == Kind::full;
  // The same in every row: there is only one.
  to.attributes.push_back(number("rows", is_full ? count : 1));
  if (is_full) to.attributes.push_back(number("stride", operand.spot.pitch));
  if (const Value mask = mask_of(lanes)) to.registers.push_back(mask);
  store_at(builder_, loc_, to);
}

void RowLowering::store(const RowOperand& operand, const Column& at, std::int64_t count,
                        const Lanes& lanes, Value value) {
  if (operand.spot.lane == frame_) return store_line(operand, at, count, lanes, value);
  const Across place = across(operand, at, lanes);
  const Value rotated = make("lrot", value, number("n", place.shift));
  store_line(operand, place.at, count, place.here, rotated);
  store_line(operand, place.next, count, place.there, rotated);
}

}  // namespace tandem::compiler::rows
