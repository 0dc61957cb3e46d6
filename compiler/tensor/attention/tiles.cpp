#include "compiler/tensor/attention/tiles.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/masked_tail.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler::online {

namespace arith = mlir::arith;
namespace tensor = mlir::tensor;
using mlir::OpFoldResult;
using mlir::RankedTensorType;
using mlir::Value;

Tiles::Tiles(const Chain& chain, const Parameters& machine)
    : chain_(chain),
      machine_(machine),
      maximum_(chain.maximum()),
      whole_{chain.rows()[static_cast<std::size_t>(chain.main_row())], chain.key_count()},
      sizes_(whole_),
      past_(keeps_to_the_past(chain)),
      builder_(chain.steps().back().op),
      loc_(chain.steps().back().op->getLoc()) {
  if (maximum_ != nullptr) {
    stabilizer_labels_ = chain_.labels_of(maximum_->op->getResult(0));
  } else {
    for (std::size_t row = 0; row < chain.rows().size(); ++row) {
      stabilizer_labels_.push_back(static_cast<int>(row));
    }
  }
}

// ---- slices

std::int64_t Tiles::size(int label, std::int64_t whole) const {
  if (label == any) return whole;
  if (label == keys) return sizes_.keys;
  return label == chain_.main_row() ? sizes_.rows : 1;
}

RankedTensorType Tiles::tile_type(Value value, const Labels& labels) const {
  const RankedTensorType type = tensor_type_of(value);
  llvm::SmallVector<std::int64_t> shape;
  for (const auto [label, whole] : llvm::zip(labels, type.getShape())) {
    shape.push_back(size(label, whole));
  }
  return RankedTensorType::get(shape, type.getElementType());
}

// The part of a tensor for the current rows and keys; of a tensor held for all blocks, its keys.
Value Tiles::slice(Value far, const Labels& labels, bool is_held) {
  llvm::SmallVector<OpFoldResult> offsets;
  llvm::SmallVector<OpFoldResult> sizes;
  const RankedTensorType type = tensor_type_of(far);
  for (const auto [label, whole] : llvm::zip(labels, type.getShape())) {
    const bool is_row = label != any && label != keys;
    const bool is_all = label == any || (label == keys && !key_at_) || (is_row && is_held);
    const Value at = is_all          ? Value()
                     : label == keys ? key_at_
                                     : row_at_[static_cast<unsigned>(label)];
    offsets.push_back(is_all ? OpFoldResult(builder_.getIndexAttr(0))
                             : mlir::getAsOpFoldResult(at));
    sizes.push_back(builder_.getIndexAttr(label == keys && !key_at_ ? whole : size(label, whole)));
  }
  const llvm::SmallVector<OpFoldResult> strides(type.getRank(), builder_.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(builder_, loc_, far, offsets, sizes, strides);
}

Value Tiles::copy_of(Value slice) {
  return mlir::bufferization::AllocTensorOp::create(builder_, loc_, tensor_type_of(slice),
                                                    mlir::ValueRange{}, slice);
}

// The chain's operands from outside that do not change with the tiles of keys: with the rows around
// the blocks, or with the blocks.
void Tiles::bring(bool for_blocks) {
  for (const Step& step : chain_.steps()) {
    for (mlir::OpOperand* input : step.inputs()) {
      const Value far = input->get();
      if (chain_.has(far) || !mlir::isa<RankedTensorType>(far.getType())) continue;
      const Labels labels = Chain::labels_of(step, *input);
      const bool has_keys = llvm::is_contained(labels, keys);
      if (has_keys && !(sizes_.holds && may_hold(labels))) continue;
      if (llvm::is_contained(labels, chain_.main_row()) != for_blocks) continue;
      if (llvm::all_of(labels, [](int label) { return label == any; })) continue;
      const bool is_there = llvm::any_of(
          near_, [&](const Near& near) { return near.far == far && near.labels == labels; });
      if (!is_there) near_.push_back({far, labels, copy_of(slice(far, labels, false)), has_keys});
    }
  }
}

Value Tiles::operand(const Step& step, mlir::OpOperand& operand) {
  const Value far = operand.get();
  if (!mlir::isa<RankedTensorType>(far.getType())) return far;
  if (chain_.has(far)) return tiles_.lookup(far);
  const Labels labels = Chain::labels_of(step, operand);
  if (llvm::all_of(labels, [](int label) { return label == any; })) return far;
  for (const Near& near : near_) {
    if (near.far != far || near.labels != labels) continue;
    return near.is_held ? slice(near.tile, labels, true) : near.tile;
  }
  const Value tile = copy_of(slice(far, labels, false));
  return tile;
}

// The initial value of an operation's result.
Value Tiles::begin_of(const Step& step, RankedTensorType type) {
  mlir::OpOperand* init = step.linalg().getDpsInitOperand(0);
  const Value room = step.kind == Kind::wide ? empty_tensor(builder_, loc_, type) : own_room(type);
  if (auto fill = init->get().getDefiningOp<mlir::linalg::FillOp>()) {
    return mlir::linalg::FillOp::create(builder_, loc_, fill.getInputs().front(), room)
        .getResult(0);
  }
  return room;
}

// Not its final place in the result, which may be in HBM.
Value Tiles::own_room(RankedTensorType type) {
  return mlir::bufferization::AllocTensorOp::create(builder_, loc_, type, mlir::ValueRange{});
}

// ---- loops

Tiles::Outputs Tiles::whole_steps(Value first, Value end, std::int64_t step, const Outputs& carried,
                                  LoopBody body) {
  auto loop = mlir::scf::ForOp::create(builder_, loc_, first, end,
                                       index_constant(builder_, loc_, step), carried);
  const mlir::OpBuilder::InsertionGuard guard(builder_);
  builder_.setInsertionPointToStart(loop.getBody());
  const Outputs made = body(loop.getInductionVar(), step, Outputs(loop.getRegionIterArgs()));
  mlir::scf::YieldOp::create(builder_, loc_, made);
  return Outputs(loop.getResults());
}

// A loop over whole steps, and the remainder after it.
Tiles::Outputs Tiles::over(std::int64_t extent, std::int64_t step, Outputs carried, LoopBody body,
                           Value limit) {
  const std::int64_t turns = extent / step;
  if (turns == 1) {
    carried = body(index_constant(builder_, loc_, 0), step, carried);
  } else if (turns > 1) {
    Value end = index_constant(builder_, loc_, turns * step);
    if (limit) end = arith::MinSIOp::create(builder_, loc_, end, limit);
    carried = whole_steps(index_constant(builder_, loc_, 0), end, step, carried, body);
  }
  if (extent % step == 0) return carried;
  return body(index_constant(builder_, loc_, turns * step), extent % step, carried);
}

Tiles::Outputs Tiles::tile(Outputs running) {
  for (const auto [entry, value] : llvm::zip(running_, running)) entry.second = value;
  for (const Step& step : chain_.steps()) {
    switch (step.kind) {
      case Kind::wide: wide(step); break;
      case Kind::sink: sink(step); break;
      case Kind::narrow: break;
    }
  }
  Outputs after;
  for (const auto& entry : running_) after.push_back(tiles_.lookup(entry.first));
  return after;
}

// The values of sinks before the first tile of keys, and the stabilizer where it is none of them.
void Tiles::begin_sums() {
  running_.clear();
  for (const Step& step : chain_.steps()) {
    if (step.kind != Kind::sink) continue;
    const Value made = step.op->getResult(0);
    running_[made] = begin_of(step, tile_type(made, chain_.labels_of(made)));
  }
  if (!chain_.exponentials().empty() && maximum_ == nullptr) {
    llvm::SmallVector<std::int64_t> shape;
    for (const int label : stabilizer_labels_) shape.push_back(size(label, 0));
    const auto type = RankedTensorType::get(shape, chain_.exponentials().front().minuend.getType());
    const Value least = arith::ConstantOp::create(
        builder_, loc_,
        builder_.getFloatAttr(type.getElementType(), -std::numeric_limits<double>::infinity()));
    running_[Value()] =
        mlir::linalg::FillOp::create(builder_, loc_, least, own_room(type)).getResult(0);
  }
}

// After the last tile of keys: sums corrected by the last stabilizer, and the values computed from
// them.
void Tiles::finish_sums() {
  llvm::SmallVector<Value> corrections;  // by exponential
  for (const Step& step : chain_.steps()) {
    switch (step.kind) {
      case Kind::wide:
        if (chain_.exponential_of(step) == nullptr) break;
        corrections.push_back(corrected(step));
        break;
      case Kind::sink:
        if (chain_.exponential_of(step) != nullptr) corrections.push_back(corrected(step));
        if (step.scaled_by >= 0) {
          finish_sink(step, corrections[static_cast<unsigned>(step.scaled_by)]);
        }
        break;
      case Kind::narrow: {
        const Value made = step.op->getResult(0);
        tiles_[made] = clone(step, begin_of(step, tile_type(made, chain_.labels_of(made))));
        break;
      }
    }
  }
}

// The rows' results, written into the whole results.
Tiles::Outputs Tiles::put_back(Outputs outputs) {
  for (const auto [output, value] : llvm::zip(outputs, chain_.outputs())) {
    llvm::SmallVector<OpFoldResult> offsets;
    const Labels labels = chain_.labels_of(value);
    for (const int label : labels) {
      offsets.push_back(label == any
                            ? OpFoldResult(builder_.getIndexAttr(0))
                            : mlir::getAsOpFoldResult(row_at_[static_cast<unsigned>(label)]));
    }
    const Value tile = tiles_.lookup(value);
    const auto sizes =
        mlir::getAsIndexOpFoldResult(builder_.getContext(), tensor_type_of(tile).getShape());
    const llvm::SmallVector<OpFoldResult> strides(sizes.size(), builder_.getIndexAttr(1));
    output = tensor::InsertSliceOp::create(builder_, loc_, tile, output, offsets, sizes, strides);
  }
  return outputs;
}

// Where the end is rounded to whole tiles, tiles have a power of two of keys.
bool Tiles::leaves_out_future() const {
  return past_ && (!past_->low || llvm::isPowerOf2_64(static_cast<std::uint64_t>(sizes_.keys)));
}

// After the last of the current rows, where keys after a row do not affect it.
Value Tiles::end_of_keys() {
  if (!leaves_out_future()) return {};
  const Value first = row_at_[static_cast<std::size_t>(chain_.main_row())];
  return arith::AddIOp::create(builder_, loc_, first, index_constant(builder_, loc_, sizes_.rows));
}

// The number of rows, with one maximum each, that do not exceed the constant by the margin: one at
// least where that number is not zero. A NaN does not.
Value Tiles::rows_that_see_more(Value maximum, double low) {
  const RankedTensorType type = tensor_type_of(maximum);
  const mlir::Type flag = builder_.getI32Type();
  const auto count = RankedTensorType::get({}, flag);
  const Value zero = arith::ConstantOp::create(builder_, loc_, builder_.getI32IntegerAttr(0));
  const Value room = empty_tensor(builder_, loc_, count);
  const Value start = mlir::linalg::FillOp::create(builder_, loc_, zero, room).getResult(0);
  const auto rank = static_cast<unsigned>(type.getRank());
  // Rounded up: numbers of this magnitude are further apart than the margin.
  const float least =
      std::nextafter(static_cast<float>(low + margin_of_low), std::numeric_limits<float>::max());
  auto found = mlir::linalg::GenericOp::create(
      builder_, loc_, mlir::TypeRange{count}, mlir::ValueRange{maximum}, mlir::ValueRange{start},
      {builder_.getMultiDimIdentityMap(rank),
       mlir::AffineMap::get(rank, 0, {}, builder_.getContext())},
      llvm::SmallVector<mlir::utils::IteratorType>(rank, mlir::utils::IteratorType::reduction),
      [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange given) {
        const mlir::Type element = given[0].getType();
        const Value bound =
            arith::ConstantOp::create(b, at, b.getFloatAttr(element, static_cast<double>(least)));
        const Value is_above =
            arith::CmpFOp::create(b, at, arith::CmpFPredicate::OGT, given[0], bound);
        const Value none = arith::ConstantOp::create(b, at, b.getI32IntegerAttr(0));
        const Value one = arith::ConstantOp::create(b, at, b.getI32IntegerAttr(1));
        const Value more = arith::SelectOp::create(b, at, is_above, none, one);
        mlir::linalg::YieldOp::create(b, at,
                                      arith::AddIOp::create(b, at, given[1], more).getResult());
      });
  return tensor::ExtractOp::create(builder_, loc_, found.getResult(0), mlir::ValueRange{});
}

// The tiles after the end of the keys, where the mask's constant is not low enough below some row's
// maximum to have no effect.
Tiles::Outputs Tiles::over_the_future(Outputs running, LoopBody body) {
  const std::int64_t step = sizes_.keys;
  const std::int64_t whole = whole_.keys / step * step;
  if (!leaves_out_future() || !past_->low || whole <= step) return running;
  Value maximum;
  for (const auto [entry, value] : llvm::zip(running_, running)) {
    if (entry.first == maximum_->op->getResult(0)) maximum = value;
  }
  const Value rows = rows_that_see_more(maximum, *past_->low);
  const Value zero = arith::ConstantOp::create(builder_, loc_, builder_.getI32IntegerAttr(0));
  const Value is_none = arith::CmpIOp::create(builder_, loc_, arith::CmpIPredicate::eq, rows, zero);
  // The first tile that was left out.
  const Value end = index_constant(builder_, loc_, whole);
  const Value rounded = arith::AddIOp::create(builder_, loc_, end_of_keys(),
                                              index_constant(builder_, loc_, step - 1));
  const Value behind =
      arith::AndIOp::create(builder_, loc_, rounded, index_constant(builder_, loc_, -step));
  const Value first = arith::MinSIOp::create(builder_, loc_, behind, end);
  const Value last = arith::SelectOp::create(builder_, loc_, is_none, first, end);
  return whole_steps(first, last, step, running, body);
}

// A block of the main rows.
Tiles::Outputs Tiles::block(Outputs outputs) {
  const std::size_t held = near_.size();
  bring(true);
  begin_sums();
  Outputs running;
  for (const auto& entry : running_) running.push_back(entry.second);
  const auto tile_of_keys = [&](Value at, std::int64_t size, Outputs carried) {
    key_at_ = at;
    const std::int64_t usual = sizes_.keys;
    sizes_.keys = size;
    Outputs made = tile(carried);
    sizes_.keys = usual;
    key_at_ = Value();
    return made;
  };
  running = over(whole_.keys, sizes_.keys, running, tile_of_keys, end_of_keys());
  running = over_the_future(running, tile_of_keys);
  tiles_.clear();
  for (const auto [entry, value] : llvm::zip(running_, running)) tiles_[entry.first] = value;
  finish_sums();
  near_.resize(held);
  return put_back(std::move(outputs));
}

// The rows around the main ones one at a time, then those in blocks.
Tiles::Outputs Tiles::over_rows(std::size_t row, Outputs outputs) {
  if (row == chain_.rows().size()) {
    bring(false);
    outputs =
        over(whole_.rows, sizes_.rows, outputs, [&](Value at, std::int64_t size, Outputs carried) {
          row_at_[static_cast<std::size_t>(chain_.main_row())] = at;
          const std::int64_t usual = sizes_.rows;
          sizes_.rows = size;
          Outputs made = block(carried);
          sizes_.rows = usual;
          return made;
        });
    near_.clear();
    return outputs;
  }
  if (static_cast<int>(row) == chain_.main_row()) return over_rows(row + 1, outputs);
  return over(chain_.rows()[row], 1, outputs, [&](Value at, std::int64_t, Outputs carried) {
    row_at_[row] = at;
    return over_rows(row + 1, carried);
  });
}

// Contractions read an operand that has only been transposed in its original form.
void Tiles::take_untransposed() {
  for (const Step& step : chain_.steps()) {
    auto op = mlir::dyn_cast<mlir::linalg::GenericOp>(step.linalg().getOperation());
    if (!op || !attribute::precision.is_on(op)) continue;
    llvm::SmallVector<mlir::AffineMap> maps = op.getIndexingMapsArray();
    for (mlir::OpOperand* input : step.inputs()) {
      auto mover = input->get().getDefiningOp<mlir::linalg::GenericOp>();
      if (!mover || chain_.has(input->get()) || mover.getNumDpsInputs() != 1 ||
          mover.getBody()->getOperations().size() != 1 ||
          mover.getBody()->getTerminator()->getOperand(0) != mover.getBody()->getArgument(0)) {
        continue;
      }
      const auto of_mover = mover.getIndexingMapsArray();
      if (!of_mover[0].isPermutation() || !of_mover[1].isPermutation()) continue;
      mlir::AffineMap& map = maps[input->getOperandNumber()];
      map = of_mover[0].compose(mlir::inversePermutation(of_mover[1])).compose(map);
      input->set(mover.getDpsInputs().front());
    }
    op.setIndexingMapsAttr(builder_.getAffineMapArrayAttr(maps));
  }
}

void Tiles::emit(TileSizes sizes) {
  sizes_ = sizes;
  mlir::Operation* const last = chain_.steps().back().op;
  builder_.setInsertionPointAfter(last);
  row_at_.assign(chain_.rows().size(), Value());
  Outputs outputs;
  for (const Value output : chain_.outputs()) {
    outputs.push_back(empty_tensor(builder_, loc_, tensor_type_of(output)));
  }
  outputs = over_rows(0, outputs);
  for (const auto [output, made] : llvm::zip(chain_.outputs(), outputs)) {
    Value(output).replaceAllUsesWith(made);
  }
  for (const Step& step : llvm::reverse(chain_.steps())) step.op->erase();
}

}  // namespace tandem::compiler::online
