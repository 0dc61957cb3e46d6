// The work for one set of weights: pushes, multiplies, and reads of the results.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/contraction/lowering.hpp"
#include "compiler/tpu/expansions/expansions.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {

using mlir::OpFoldResult;
using mlir::Value;

Value ContractionLowering::lane_mask(std::int64_t first, std::int64_t count) {
  if (count == machine_.lanes) return {};
  const Value lane = make("vlane");
  if (first == 0) return make("vlt.s32", {lane, constant(count)});
  return make("vlt.u32", {make("vsub.s32", {lane, constant(first)}), constant(count)});
}

Reach ContractionLowering::words_of(const Tile& tile, const Chunk& chunk, OpFoldResult first,
                                    const Columns& beyond, std::int64_t rows) const {
  const std::int64_t lanes = machine_.lanes;
  const auto row = mlir::getConstantIntValue(first);
  const auto turn = mlir::getConstantIntValue(chunk.turn);
  Reach reach = reach_of(tile.view);
  auto alloc = reach.buffer.getDefiningOp<mlir::memref::AllocOp>();
  const bool is_fixed = row && turn && !tile.row.moved && !beyond.loop && tile.pitch > 0;
  const bool is_known =
      alloc && alloc.getType().getElementType() ==
                   mlir::cast<mlir::MemRefType>(tile.view.getType()).getElementType();
  if (!is_fixed || !is_known) return reach;
  const std::int64_t at = tile.row.fixed + beyond.number + (chunk.number * tile.chunk_rows) +
                          (chunk.half * tile.half_rows) + (*turn * chunk.length * tile.chunk_rows) +
                          (*row * tile.pitch);
  reach.first = (at * lanes) - attribute::address.get(alloc).getInt();
  reach.end = reach.first + ((((rows - 1) * tile.pitch) + 1) * lanes);
  reach.stride = tile.pitch * lanes;
  reach.column = reach.first % reach.stride;
  reach.width = lanes;
  return reach;
}

void ContractionLowering::wait_for(const Tile& tile, const Reach& words) {
  const bool is_operand = tile.view != plan_.result.view;
  const bool is_settled = plan_.columns_arrive && tile.view == plan_.right.view;
  if (!plan_.arrives || !is_operand || is_settled) return;
  memory_.in_flight().settle_words(builder_, loc_, words);
}

Value ContractionLowering::load(const Tile& tile, const Chunk& chunk, OpFoldResult first,
                                const Columns& beyond, std::int64_t rows, Value mask) {
  wait_for(tile, words_of(tile, chunk, first, beyond, rows));
  std::int64_t fixed =
      tile.row.fixed + beyond.number + chunk.number * tile.chunk_rows + chunk.half * tile.half_rows;
  OpFoldResult moved = times(builder_, loc_, chunk.turn, chunk.length * tile.chunk_rows);
  if (const auto row = mlir::getConstantIntValue(first)) {
    fixed += *row * tile.pitch;
  } else {
    moved = add(builder_, loc_, times(builder_, loc_, first, tile.pitch), moved);
  }
  if (tile.row.moved) moved = add(builder_, loc_, moved, tile.row.moved);
  if (beyond.loop) moved = add(builder_, loc_, moved, beyond.loop);
  VmemAddress address = vmem_address(builder_, loc_, fixed, moved, tile.row.buffer);
  address.attributes.push_back(number("rows", rows));
  if (tile.pitch != 1 && rows > 1) address.attributes.push_back(number("stride", tile.pitch));
  if (mask) address.registers.push_back(mask);
  return load_at(builder_, loc_, "vld", address);
}

VmemAddress ContractionLowering::accumulator(OpFoldResult group, bool is_low) {
  const auto fixed = mlir::getConstantIntValue(group);
  const std::int64_t set = tile_.accumulator ? 0 : tile_.number % plan_.sets * plan_.steps.groups;
  const std::int64_t low = is_low ? plan_.sets * plan_.steps.groups : 0;
  const std::int64_t first = first_accumulator_ + low + set + fixed.value_or(0);
  OpFoldResult moved = fixed ? OpFoldResult(builder_.getIndexAttr(0)) : group;
  if (tile_.accumulator) moved = add(builder_, loc_, moved, tile_.accumulator);
  if (mlir::getConstantIntValue(moved)) return {{}, {flag("absolute"), number("acc", first)}};
  return {{mlir::cast<Value>(moved)}, {number("acc", first)}};
}

// The remainder after the earlier parts, rounded to bf16; NaN after an infinity.
Value ContractionLowering::part_of(Value x, int part) {
  Selector s(builder_, loc_);
  for (int i = 0; i < part; ++i) x = s.make("vsub.f32", {x, expand_bf16(s, x)});
  return x;
}

// Rows of weights beyond the depth are zero: a buffer is zero when it is released, and the first
// one is made zero (fill_up), or the first two (clear_weights).
void ContractionLowering::weight_rows(const Chunk& chunk, int part) {
  const Value mask = tile_mask();
  for (std::int64_t row = 0; row < machine_.lanes; row += sublanes) {
    const std::int64_t rows = std::min<std::int64_t>(sublanes, plan_.depth - row);
    if (rows <= 0) break;
    const Value x =
        weights_of(load(plan_.right, chunk, builder_.getIndexAttr(row), tile_, rows, mask), part);
    make("mxpush", x, {flag("absolute"), number("row", row), form(plan_.right, chunk)});
  }
}

// Weights whose columns are rows of VMEM.
void ContractionLowering::weight_columns(const Chunk& chunk, int part) {
  for (std::int64_t column = 0; column < machine_.lanes; column += sublanes) {
    const std::int64_t first = tile_.number * machine_.lanes + column;
    const std::int64_t left = plan_.columns - first;
    const std::int64_t count = tile_.loop ? sublanes : std::min<std::int64_t>(sublanes, left);
    if (count <= 0) break;
    OpFoldResult row = builder_.getIndexAttr(first);
    if (tile_.loop)
      row = add(builder_, loc_, row, times(builder_, loc_, tile_.loop, machine_.lanes));
    const Value x = weights_of(load(plan_.right, chunk, row, {}, count, depth_mask_), part);
    make("mxpusht", x, {flag("absolute"), number("row", column), form(plan_.right, chunk)});
  }
}

// Fills the rest of the first set of weights with zeros. Swaps leave zeros in the buffer after it.
void ContractionLowering::fill_up() {
  const bool by_columns = plan_.right.by_columns;
  const std::int64_t filled =
      std::min<std::int64_t>(by_columns ? plan_.columns : plan_.depth, machine_.lanes);
  const std::int64_t from = (filled + sublanes - 1) / sublanes * sublanes;
  if (from >= machine_.lanes) return;
  const Value zero = make("vmov", constant(0));
  for (std::int64_t row = from; row < machine_.lanes; row += sublanes) {
    make(by_columns ? "mxpusht" : "mxpush", zero,
         {flag("absolute"), number("row", row), text("x", "f32")});
  }
}

void ContractionLowering::weights(const Chunk& chunk, int part) {
  if (plan_.right.by_columns) {
    weight_columns(chunk, part);
  } else {
    weight_rows(chunk, part);
  }
}

void ContractionLowering::multiply_group(const Multiply& what, OpFoldResult group,
                                         std::int64_t rows, bool swaps) {
  const OpFoldResult first = times(builder_, loc_, group, sublanes);
  const Value x = part_of(load(plan_.left, what.chunk, first, {}, rows, depth_mask_), what.part);
  VmemAddress sum = accumulator(group, what.is_low);
  sum.registers.push_back(x);
  sum.attributes.push_back(form(plan_.left, what.chunk));
  if (what.adds) sum.attributes.push_back(flag("add"));
  if (swaps) sum.attributes.push_back(flag("swap"));
  make(plan_.is_bytes() ? "mxmul.s8" : "mxmul.bf16", sum.registers, sum.attributes);
}

void ContractionLowering::repeat(std::int64_t from, std::int64_t to,
                                 llvm::function_ref<void(OpFoldResult)> body, std::int64_t few) {
  if (plan_.steps.written_out || to - from <= few) {
    for (std::int64_t i = from; i < to; ++i) body(builder_.getIndexAttr(i));
    return;
  }
  mlir::scf::ForOp::create(builder_, loc_, constant(from), constant(to), constant(1),
                           mlir::ValueRange{},
                           [&](mlir::OpBuilder&, mlir::Location at, Value index, mlir::ValueRange) {
                             mlir::OpBuilder::InsertionGuard guard(builder_);
                             builder_.setInsertionPointToStart(index.getParentBlock());
                             body(index);
                             mlir::scf::YieldOp::create(builder_, at);
                           });
}

void ContractionLowering::multiply_groups(const Multiply& what, std::int64_t from,
                                          std::int64_t end) {
  const auto words = [&](std::int64_t group) {
    return words_of(plan_.left, what.chunk, builder_.getIndexAttr(group * sublanes), {}, sublanes);
  };
  while (from < end) {
    std::int64_t next = from + 1;
    if (plan_.arrives) wait_for(plan_.left, words(from));
    while (next < end && !(plan_.arrives && memory_.in_flight().is_coming(words(next)))) ++next;
    repeat(from, next, [&](OpFoldResult group) { multiply_group(what, group, sublanes, false); });
    from = next;
  }
}

// All rows with the weights that have been pushed. A group of fewer than eight rows is filled up
// with zeros by its load. After the first group, other weights may be pushed; those that have not
// arrived yet as late as their pushes still overlap with the last groups, since everything after a
// wait waits, too.
void ContractionLowering::multiply(const Multiply& what, const Push& next) {
  const std::int64_t whole = plan_.rows / sublanes;
  const bool swaps = what.part == 0;
  // Unrolled for as long as pushes take, which overlap; completely, if there are few: a loop of its
  // own has a start and an end, and the loop over chunks around it is no pipeline. With overlapped
  // rows they are unrolled completely, too: rows in no common loop overlap with nothing.
  const std::int64_t few = most_written_out(machine_);
  constexpr std::int64_t cycles_of_push = 4;
  const std::int64_t beside = machine_.lanes / sublanes * cycles_of_push / sublanes + 1;
  const bool is_whole = whole <= few + 1 || has_rows(tile_);
  const std::int64_t apart = is_whole ? whole : std::min(whole, beside);
  const std::int64_t behind = next.is_late ? std::max<std::int64_t>(0, whole - beside / 2) : 0;
  for (std::int64_t group = 0; group < apart; ++group) {
    multiply_group(what, builder_.getIndexAttr(group), sublanes, swaps && group == 0);
    if (group == behind) next.push();
  }
  multiply_groups(what, apart, whole);
  if (behind >= apart && whole > 0) next.push();
  if (const std::int64_t rest = plan_.rows % sublanes; rest != 0) {
    multiply_group(what, builder_.getIndexAttr(whole), rest, swaps && whole == 0);
  }
  if (whole == 0) next.push();
}

// Whether weights of the step have not arrived yet.
bool ContractionLowering::is_late(const Step& step) {
  if (!plan_.arrives || plan_.columns_arrive) return false;
  const bool by_columns = plan_.right.by_columns;
  const std::int64_t first = by_columns ? step.tile.number * machine_.lanes : 0;
  const std::int64_t end = by_columns ? plan_.columns : plan_.depth;
  for (std::int64_t i = 0; i < machine_.lanes && first + i < end; i += sublanes) {
    const Reach words = words_of(plan_.right, step.chunk, builder_.getIndexAttr(first + i),
                                 by_columns ? Columns{} : step.tile,
                                 std::min<std::int64_t>(sublanes, end - first - i));
    if (memory_.in_flight().is_coming(words)) return true;
  }
  return false;
}

void ContractionLowering::push(const Step& step) {
  tile_ = step.tile;
  const bool is_first = step.chunk.number == 0 && step.chunk.half == 0 && step.pass == 0;
  if (plan_.columns_arrive && is_first) {
    memory_.in_flight().settle_columns(builder_, loc_, op_->getOperand(1), tile_.number,
                                       tile_.loop);
  }
  weights(step.chunk, plan_.passes[step.pass].right);
}

// Multiplies with weights that have been pushed, and pushes those of the next step at the same
// time. `begins`: the accumulators have nothing from steps of other passes yet.
void ContractionLowering::step(const Step& now, bool begins, const Push& next) {
  for (int part = 0; part < plan_.passes[now.pass].left_parts; ++part) {
    tile_ = now.tile;
    const bool is_low = now.pass > 0 || part > 0;
    const bool is_first = begins && (!is_low || plan_.is_first_low(now.pass, part));
    const auto push_next = [&] {
      if (part == 0) next.push();
      tile_ = now.tile;
    };
    multiply({now.chunk, part, is_low, !is_first}, {push_next, next.is_late});
  }
}

// With an infinity, the sum of lower parts is NaN, or infinite: both sums together are then the
// first one, or NaN, which may be right for the first one only.
Value ContractionLowering::read_sum(OpFoldResult group) {
  const auto read = [&](bool is_low) {
    const VmemAddress from = accumulator(group, is_low);
    return make("mxread", from.registers, from.attributes);
  };
  const Value first = read(false);
  if (!plan_.has_low) return first;
  const Value both = make("vadd.f32", {first, read(true)});
  return make("vsel", {make("veq.f32", {both, both}), both, first});
}

void ContractionLowering::read_group(OpFoldResult group, std::int64_t rows) {
  Value sum = read_sum(group);
  const OpFoldResult first = times(builder_, loc_, group, sublanes);
  if (plan_.adds_to_result) {
    const Value old =
        load(plan_.result, {builder_.getIndexAttr(0), 0, 0, 0}, first, tile_, rows, tile_mask());
    sum = make(plan_.is_bytes() ? "vadd.s32" : "vadd.f32", {old, sum});
  }
  OpFoldResult moved = times(builder_, loc_, first, plan_.result.pitch);
  if (plan_.result.row.moved) moved = add(builder_, loc_, moved, plan_.result.row.moved);
  if (tile_.loop) moved = add(builder_, loc_, moved, tile_.loop);
  VmemAddress to = vmem_address(builder_, loc_, plan_.result.row.fixed + tile_.number, moved,
                                plan_.result.row.buffer);
  to.registers.push_back(sum);
  to.attributes.push_back(number("rows", rows));
  if (plan_.result.pitch != 1 && rows > 1)
    to.attributes.push_back(number("stride", plan_.result.pitch));
  if (const Value mask = tile_mask()) to.registers.push_back(mask);
  store_at(builder_, loc_, to);
}

void ContractionLowering::read_groups(std::int64_t from, std::int64_t end, std::int64_t few) {
  const std::int64_t whole = plan_.rows / sublanes;
  const auto read = [&](OpFoldResult group) { read_group(group, sublanes); };
  repeat(from, std::min(end, whole), read, few);
  if (from <= whole && whole < end) read_group(builder_.getIndexAttr(whole), plan_.rows % sublanes);
}

void ContractionLowering::read_results(const Columns& tile, bool beside) {
  tile_ = tile;
  read_groups(0, all_groups(), beside ? few_beside : few_alone);
}

}  // namespace tandem::compiler
