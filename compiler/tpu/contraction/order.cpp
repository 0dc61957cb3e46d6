// The order of the tiles of columns and the chunks of the depth, and what overlaps with what.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/contraction/lowering.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {

using mlir::OpFoldResult;
using mlir::Value;

// Weights that arrive by columns are waited for as a whole where there is no loop over tiles.
void ContractionLowering::settle() {
  if (!attribute::arrives_by_columns.is_on(op_) || plan_.columns_arrive) return;
  memory_.in_flight().settle(builder_, loc_, {op_->getOperand(1)}, {});
}

// Operands loaded in loops over tiles or chunks have arrived before the loops.
void ContractionLowering::settle_before_loop() {
  wait_for(plan_.left, reach_of(plan_.left.view));
  wait_for(plan_.right, reach_of(plan_.right.view));
}

mlir::FailureOr<std::int64_t> ContractionLowering::run(ContractionLowering* before) {
  const auto tiles = contraction_tiles(builder_, memory_, machine_, op_);
  if (mlir::failed(tiles)) return mlir::failure();
  plan_ = contraction_plan(op_, *tiles, machine_, beside_ == nullptr ? 0 : beside_->groups());
  first_accumulator_ = attribute::accumulator.value_or(op_, 0);
  const std::int64_t rest = plan_.columns % machine_.lanes;
  column_mask_ = lane_mask(plan_.result.lane, rest == 0 ? machine_.lanes : rest);
  depth_mask_ = lane_mask(plan_.left.lane, plan_.depth);
  settle();
  if (before != nullptr &&
      (!before->left_over_ || plan_.order != Order::tiles || !take_accumulators(*before))) {
    if (mlir::failed(before->close(builder_))) return mlir::failure();
    before = nullptr;
  }
  if (fills_up_) fill_up();
  const Step first{{builder_.getIndexAttr(0), 0, 0, 0}, 0, {}};
  const auto read_before = [&] { before->last_results(true); };
  llvm::function_ref<void()> results_before;
  if (before != nullptr) {
    results_before = read_before;
    before->go_on_at(builder_);
    const auto push_first = [&] { push(first); };
    before->last_step({push_first, is_late(first)});
    if (mlir::failed(before->start(before->copies_before))) return mlir::failure();
    copies_before = before->copies;
  } else {
    push(first);
  }
  switch (plan_.order) {
    case Order::tiles: written_tiles(0, results_before); break;
    case Order::loop: tiles_in_loop(); break;
    case Order::by_chunks:
      for (std::int64_t i = 0; i < plan_.chunks; ++i) one_chunk(i);
      break;
  }
  if (!plan_.stays_open) {
    if (mlir::failed(start(copies_before))) return mlir::failure();
    copies_before.clear();
    has_results_ = beside_ == nullptr;
    if (!has_results_) last_results(false);
  }
  return plan_.tiles_with_rows * plan_.steps.of_tile();
}

// All steps of a chunk, followed by those of `next`.
void ContractionLowering::chunk(const Step& first, std::optional<Step> next, bool adds) {
  llvm::SmallVector<Step> steps;
  for (std::int64_t half = 0; half < plan_.halves; ++half) {
    for (std::size_t pass = 0; pass < plan_.passes.size(); ++pass) {
      steps.push_back(first);
      steps.back().chunk.half = half;
      steps.back().pass = pass;
    }
  }
  for (const auto [number, now] : llvm::enumerate(steps)) {
    const std::optional<Step> behind = number + 1 < steps.size() ? steps[number + 1] : next;
    const bool begins = !adds && now.chunk.half == 0;
    if (plan_.stays_open && !behind) {
      left_over_ = LeftOver{now, begins};
      return;
    }
    const auto push_next = [&] {
      if (behind) push(*behind);
    };
    step(now, begins, {push_next, behind && is_late(*behind)});
  }
}

// Tiles of columns from one on to the last, without a loop.
void ContractionLowering::written_tiles(std::int64_t from,
                                        llvm::function_ref<void()> results_before) {
  for (std::int64_t tile = from; tile < plan_.steps.tiles; ++tile) {
    std::optional<Columns> next;
    if (tile + 1 < plan_.steps.tiles) next = Columns{tile + 1};
    const auto results = [&] { read_results({tile - 1}, true); };
    one_tile({tile}, next, tile > 0 ? llvm::function_ref<void()>(results) : results_before);
  }
}

// More tiles than there are accumulators: they alternate between two sets. The loops cover all
// tiles that have a whole tile before and after them: first those that overlap with rows.
void ContractionLowering::tiles_in_loop() {
  const bool is_whole = plan_.columns % machine_.lanes == 0;
  const std::int64_t end = is_whole ? plan_.steps.tiles - 1 : plan_.steps.tiles - 2;
  one_tile({0}, Columns{1}, nullptr);
  const std::int64_t with_rows =
      std::clamp<std::int64_t>(plan_.tiles_with_rows, 1, std::max<std::int64_t>(end, 1));
  settle_before_loop();
  loop_has_rows_ = true;
  const Value set = tiles_in_loop(1, with_rows, constant(plan_.steps.groups));
  loop_has_rows_ = false;
  tiles_in_loop(with_rows, end, set);
  written_tiles(std::max<std::int64_t>(1, end), nullptr);
}

// Returns the set of accumulators for the next tile.
Value ContractionLowering::tiles_in_loop(std::int64_t from, std::int64_t to, Value first_set) {
  if (from >= to) return first_set;
  auto loop = mlir::scf::ForOp::create(
      builder_, loc_, constant(from), constant(to), constant(1), first_set,
      [&](mlir::OpBuilder&, mlir::Location at, Value index, mlir::ValueRange carried) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(index.getParentBlock());
        const Value set = carried.front();
        const Value other =
            mlir::arith::SubIOp::create(builder_, at, constant(plan_.steps.groups), set);
        one_tile({0, index, set}, Columns{1, index, other}, [&] {
          read_results({-1, index, other}, true);
        });
        mlir::scf::YieldOp::create(builder_, at, other);
      });
  return loop.getResult(0);
}

// All tiles with a chunk of the depth: the first available one, for weights that arrive in parts.
void ContractionLowering::one_chunk(std::int64_t number) {
  const auto at = [&](std::int64_t chunk, std::int64_t tile) {
    return Step{{builder_.getIndexAttr(0), 0, chunk, 0}, 0, {tile}};
  };
  const bool is_last = number + 1 == plan_.chunks;
  for (std::int64_t tile = 0; tile < plan_.steps.tiles; ++tile) {
    std::optional<Step> next;
    if (tile + 1 < plan_.steps.tiles) next = at(number, tile + 1);
    if (tile + 1 == plan_.steps.tiles && !is_last) next = at(number + 1, 0);
    chunk(at(number, tile), next, number > 0);
    if (is_last && tile > 0) read_results({tile - 1}, true);
  }
}

// A group of the overlapped rows, at this step of the tile.
void ContractionLowering::rows_beside(const Columns& tile, OpFoldResult step) {
  if (!has_rows(tile)) return;
  const std::int64_t steps = plan_.steps.of_tile();
  OpFoldResult number = add(builder_, loc_, step, builder_.getIndexAttr(tile.number * steps));
  if (tile.loop) {
    number = add(builder_, loc_, number, times(builder_, loc_, tile.loop, steps));
  }
  beside_->group(builder_, number);
}

// All chunks of the depth. During the first one, the results of the previous tile are read.
void ContractionLowering::one_tile(const Columns& tile, const std::optional<Columns>& next,
                                   llvm::function_ref<void()> results) {
  const std::int64_t head = plan_.steps.head;
  const std::int64_t rest = plan_.chunks - 1;  // without the last one
  const auto at = [&](OpFoldResult index, std::int64_t number) {
    return Step{{index, plan_.steps.turn, number, 0}, 0, tile};
  };
  const auto index = [&](std::int64_t value) { return builder_.getIndexAttr(value); };
  std::optional<Step> beyond;
  if (next) beyond = Step{{index(0), 0, 0, 0}, 0, *next};
  for (std::int64_t i = 0; i < head; ++i) {
    chunk(at(index(0), i), at(index(0), i + 1), i > 0);
    if (i == 0 && results) results();
    rows_beside(tile, index(i));
  }
  const std::int64_t few = has_rows(tile) ? 1 : 4;
  const auto body = [&](OpFoldResult turn) {
    for (std::int64_t i = 0; i < plan_.steps.turn; ++i) {
      chunk(at(turn, head + i), at(turn, head + i + 1), true);
    }
    rows_beside(tile, add(builder_, loc_, turn, index(head)));
  };
  if (!plan_.steps.written_out && plan_.steps.turns > few) settle_before_loop();
  repeat(0, plan_.steps.turns, body, few);
  chunk(at(index(0), rest), beyond, rest > 0);
  if (rest == 0 && results) results();
  rows_beside(tile, index(head + plan_.steps.turns));
}

void clear_weights(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& parameters) {
  const Value zero =
      machine(builder, loc, "vmov", {mlir::arith::ConstantIndexOp::create(builder, loc, 0)});
  const auto form = text_attribute(builder, "x", "f32");
  const auto absolute = flag_attribute(builder, "absolute");
  for (std::int64_t row = 0; row < parameters.lanes; row += sublanes) {
    machine(builder, loc, "mxpush", zero, {absolute, number_attribute(builder, "row", row), form});
  }
  machine(builder, loc, "mxmul.bf16", zero,
          {absolute, number_attribute(builder, "acc", 0), number_attribute(builder, "rows", 1),
           flag_attribute(builder, "swap"), form});
}

mlir::FailureOr<std::int64_t> lower_contraction(mlir::OpBuilder& builder, Memory& memory,
                                                const Parameters& machine,
                                                mlir::linalg::LinalgOp op, bool fills_up,
                                                RowWork* beside,
                                                std::unique_ptr<OpenContraction>& open) {
  if (attribute::vector.is_on(op)) {
    if (mlir::failed(lower_vector_contraction(builder, memory, machine, op))) {
      return mlir::failure();
    }
    return 0;
  }
  const std::unique_ptr<OpenContraction> before = std::move(open);
  auto lowering =
      std::make_unique<ContractionLowering>(builder, memory, machine, op, fills_up, beside);
  const auto done = lowering->run(static_cast<ContractionLowering*>(before.get()));
  if (mlir::failed(done)) return mlir::failure();
  if (lowering->is_open()) open = std::move(lowering);
  return *done;
}

}  // namespace tandem::compiler
