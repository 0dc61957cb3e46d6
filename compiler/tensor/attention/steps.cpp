// The operations of a chain on one tile, and on a block of rows once all its keys are done.
#include "compiler/contract/attributes.hpp"
#include "compiler/tensor/attention/tiles.hpp"
#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"

namespace tandem::compiler::online {

namespace arith = mlir::arith;
using mlir::OpFoldResult;
using mlir::RankedTensorType;
using mlir::Value;
using Iterator = mlir::utils::IteratorType;

namespace {

// For each of `inner` the position of the same label in `outer`.
mlir::AffineMap map_between(mlir::MLIRContext* context, const Labels& outer, const Labels& inner) {
  llvm::SmallVector<mlir::AffineExpr> places;
  for (const int label : inner) {
    const auto* const found = llvm::find(outer, label);
    places.push_back(label == any ? mlir::getAffineConstantExpr(0, context)
                                  : mlir::getAffineDimExpr(
                                        static_cast<unsigned>(found - outer.begin()), context));
  }
  return mlir::AffineMap::get(static_cast<unsigned>(outer.size()), 0, places, context);
}

}  // namespace

// The offsets of the loops, for operations that use their indices.
namespace {
void count_from(mlir::OpBuilder& builder, mlir::linalg::LinalgOp op, const Labels& loops,
                llvm::ArrayRef<Value> row_at, Value key_at) {
  llvm::SmallVector<OpFoldResult> offsets;
  for (const int label : loops) {
    const Value at = label == any    ? Value()
                     : label == keys ? key_at
                                     : row_at[static_cast<unsigned>(label)];
    offsets.push_back(at ? OpFoldResult(at) : OpFoldResult(builder.getIndexAttr(0)));
  }
  mlir::linalg::offsetIndices(builder, op, offsets);
}
}  // namespace

Value Tiles::clone(const Step& step, Value init) {
  mlir::linalg::LinalgOp op = step.op;
  llvm::SmallVector<Value> operands;
  for (mlir::OpOperand* input : op.getDpsInputOperands()) operands.push_back(operand(step, *input));
  operands.push_back(init);
  mlir::Operation* made = mlir::clone(builder_, op, init.getType(), operands);
  count_from(builder_, mlir::cast<mlir::linalg::LinalgOp>(made), step.loops, row_at_, key_at_);
  return made->getResult(0);
}

// Clones a value of a body and the operations that compute it.
Value Tiles::clone_value(mlir::OpBuilder& builder, Value value, mlir::IRMapping& map,
                         const Step& step) {
  if (const Value known = map.lookupOrNull(value)) return known;
  if (const auto other = step.without_factors.find(value); other != step.without_factors.end()) {
    return clone_value(builder, other->second, map, step);
  }
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr || op->getBlock() != &step.op->getRegion(0).front()) return value;
  for (const Value part : op->getOperands()) {
    map.map(part, clone_value(builder, part, map, step));
  }
  builder.clone(*op, map);
  return map.lookup(value);
}

// The operation without the results of sinks: `root` of its body, and the stabilizer in place of
// the value that the exponential subtracts.
Value Tiles::rebuilt(const Step& step, Value root, Value init) {
  mlir::linalg::LinalgOp op = step.op;
  mlir::Block& body = op->getRegion(0).front();
  llvm::SmallVector<Value> inputs;
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<Value> arguments;  // of the old body
  for (mlir::OpOperand* input : op.getDpsInputOperands()) {
    const bool is_narrow = llvm::any_of(chain_.steps(), [&](const Step& other) {
      return other.kind != Kind::wide && other.op->getResult(0) == input->get();
    });
    if (is_narrow) continue;
    inputs.push_back(operand(step, *input));
    maps.push_back(op.getMatchingIndexingMap(input));
    arguments.push_back(op.getMatchingBlockArgument(input));
  }
  const Exponential* const exponential = chain_.exponential_of(step);
  if (exponential != nullptr && root != exponential->minuend) {
    inputs.push_back(safe_);
    maps.push_back(map_between(builder_.getContext(), step.loops, stabilizer_labels_));
    arguments.push_back(exponential->subtrahend);
  }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  auto made = mlir::linalg::GenericOp::create(
      builder_, op->getLoc(), mlir::TypeRange{init.getType()}, inputs, mlir::ValueRange{init}, maps,
      op.getIteratorTypesArray(),
      [&](mlir::OpBuilder& b, mlir::Location loc, mlir::ValueRange given) {
        mlir::IRMapping map;
        for (const auto [old, now] : llvm::zip(arguments, given)) map.map(old, now);
        map.map(body.getArguments().back(), given.back());
        mlir::linalg::YieldOp::create(b, loc, clone_value(b, root, map, step));
      });
  for (const mlir::NamedAttribute attribute : op->getDiscardableAttrs()) {
    made->setDiscardableAttr(attribute.getName(), attribute.getValue());
  }
  count_from(builder_, mlir::cast<mlir::linalg::LinalgOp>(*made), step.loops, row_at_, key_at_);
  return made.getResult(0);
}

// A tensor of rows: `body` of its elements and the others' of the same row.
Value Tiles::by_rows(Value of, const Labels& labels, mlir::ValueRange with,
                     llvm::ArrayRef<Labels> with_labels,
                     llvm::function_ref<Value(mlir::OpBuilder&, mlir::ValueRange)> body) {
  const RankedTensorType type = tensor_type_of(of);
  llvm::SmallVector<mlir::AffineMap> maps;
  for (const Labels& other : with_labels) {
    maps.push_back(map_between(builder_.getContext(), labels, other));
  }
  maps.push_back(builder_.getMultiDimIdentityMap(static_cast<unsigned>(type.getRank())));
  const llvm::SmallVector<Iterator> iterators(type.getRank(), Iterator::parallel);
  return mlir::linalg::GenericOp::create(
             builder_, loc_, mlir::TypeRange{type}, with, mlir::ValueRange{of}, maps, iterators,
             [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange given) {
               mlir::linalg::YieldOp::create(b, at, body(b, given));
             })
      .getResult(0);
}

namespace {

Value number_like(mlir::OpBuilder& builder, mlir::Location loc, mlir::Type type, double number) {
  return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, number));
}

Value converted(mlir::OpBuilder& builder, mlir::Location loc, Value value, mlir::Type type) {
  if (value.getType() == type) return value;
  return value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth()
             ? arith::ExtFOp::create(builder, loc, type, value).getResult()
             : arith::TruncFOp::create(builder, loc, type, value).getResult();
}

}  // namespace

// The maximum, or 0 where all values have been minus infinity.
Value Tiles::finite(Value maximum) {
  const Value room = empty_tensor(builder_, loc_, tensor_type_of(maximum));
  return by_rows(
      room, stabilizer_labels_, {maximum}, {stabilizer_labels_},
      [&](mlir::OpBuilder& b, mlir::ValueRange given) -> Value {
        const mlir::Type type = given[0].getType();
        const Value least = number_like(b, loc_, type, -std::numeric_limits<double>::infinity());
        const Value none =
            arith::CmpFOp::create(b, loc_, arith::CmpFPredicate::OEQ, given[0], least);
        return arith::SelectOp::create(b, loc_, none, number_like(b, loc_, type, 0), given[0]);
      });
}

// The maximum so far with this tile, and the factor for the sums so far.
void Tiles::stabilize(const Step& step) {
  const Value key = maximum_ != nullptr ? maximum_->op->getResult(0) : Value();
  Value now;
  if (maximum_ != nullptr) {
    now = tiles_.lookup(key);
  } else {
    const Value so_far = running_.lookup(key);
    before_ = copy_of(so_far);
    mlir::linalg::LinalgOp op = step.op;
    const Exponential& exponential = *chain_.exponential_of(step);
    const Labels labels = chain_.labels_of(op->getResult(0));
    const auto type = RankedTensorType::get(tile_type(op->getResult(0), labels).getShape(),
                                            exponential.minuend.getType());
    const Value minuend = rebuilt(step, exponential.minuend, empty_tensor(builder_, loc_, type));
    llvm::SmallVector<Iterator> iterators;
    for (const int label : labels) {
      iterators.push_back(label == any || label == keys ? Iterator::reduction : Iterator::parallel);
    }
    now = mlir::linalg::GenericOp::create(
              builder_, loc_, mlir::TypeRange{so_far.getType()}, mlir::ValueRange{minuend},
              mlir::ValueRange{so_far},
              {builder_.getMultiDimIdentityMap(static_cast<unsigned>(labels.size())),
               map_between(builder_.getContext(), labels, stabilizer_labels_)},
              iterators,
              [](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange given) {
                mlir::linalg::YieldOp::create(
                    b, at, arith::MaximumFOp::create(b, at, given[1], given[0]).getResult());
              })
              .getResult(0);
    tiles_[Value()] = now;
  }
  safe_ = finite(now);
  const Value room = empty_tensor(builder_, loc_, tensor_type_of(now));
  factor_ =
      by_rows(room, stabilizer_labels_, {before_, safe_}, {stabilizer_labels_, stabilizer_labels_},
              [&](mlir::OpBuilder& b, mlir::ValueRange given) -> Value {
                const Value less = arith::SubFOp::create(b, loc_, given[0], given[1]);
                auto factor = mlir::math::ExpOp::create(b, loc_, less);
                attribute::not_large.set(factor);
                return factor;
              });
}

void Tiles::wide(const Step& step) {
  const bool is_exponential = chain_.exponential_of(step) != nullptr;
  if (is_exponential && step.scaled_by == 0) stabilize(step);
  const Value made = step.op->getResult(0);
  const RankedTensorType type = tile_type(made, chain_.labels_of(made));
  if (!is_exponential && step.without_factors.empty()) {
    tiles_[made] = clone(step, begin_of(step, type));
    return;
  }
  mlir::Block& body = step.op->getRegion(0).front();
  tiles_[made] = rebuilt(step, body.getTerminator()->getOperand(0), begin_of(step, type));
}

void Tiles::sink(const Step& step) {
  const bool is_exponential = chain_.exponential_of(step) != nullptr;
  if (is_exponential && step.scaled_by == 0) stabilize(step);
  const Value made = step.op->getResult(0);
  Value so_far = running_.lookup(made);
  // It is accumulated in place.
  if (&step == maximum_) before_ = copy_of(so_far);
  if (step.scaled_by >= 0) {
    so_far = by_rows(so_far, chain_.labels_of(made), {factor_}, {stabilizer_labels_},
                     [&](mlir::OpBuilder& b, mlir::ValueRange given) -> Value {
                       const Value factor = converted(b, loc_, given[0], given[1].getType());
                       return arith::MulFOp::create(b, loc_, given[1], factor);
                     });
  }
  const Value result = step.linalg()->getRegion(0).front().getTerminator()->getOperand(0);
  tiles_[made] = is_exponential ? rebuilt(step, result, so_far) : clone(step, so_far);
}

// The factor for sums that belong to the exponential after the last tile.
Value Tiles::corrected(const Step& step) {
  if (step.scaled_by == 0) {
    safe_ = finite(tiles_.lookup(maximum_ != nullptr ? maximum_->result() : Value()));
  }
  return correction(step);
}

// exp(stabilizer - the value to be subtracted): 1, unless a row has no finite number, or a value
// other than the maximum is subtracted.
Value Tiles::correction(const Step& step) {
  const Value subtrahend = chain_.exponential_of(step)->subtrahend;
  mlir::linalg::LinalgOp op = step.op;
  llvm::SmallVector<Value> with;
  llvm::SmallVector<Labels> labels;
  llvm::SmallVector<Value> arguments;
  for (mlir::OpOperand* input : op.getDpsInputOperands()) {
    const Labels of_input = Chain::labels_of(step, *input);
    if (!Chain::is_by_row(step, *input)) continue;
    if (chain_.has(input->get()) && !tiles_.contains(input->get())) continue;
    with.push_back(operand(step, *input));
    labels.push_back(of_input);
    arguments.push_back(op.getMatchingBlockArgument(input));
  }
  return by_rows(safe_, stabilizer_labels_, with, labels,
                 [&](mlir::OpBuilder& b, mlir::ValueRange given) -> Value {
                   mlir::IRMapping map;
                   for (const auto [old, now] : llvm::zip(arguments, given)) map.map(old, now);
                   const Value other = clone_value(b, subtrahend, map, step);
                   const Value more = arith::SubFOp::create(b, loc_, given.back(), other);
                   return mlir::math::ExpOp::create(b, loc_, more);
                 });
}

void Tiles::finish_sink(const Step& step, Value correction) {
  const Value made = step.op->getResult(0);
  llvm::SmallVector<Value> with{correction};
  llvm::SmallVector<Labels> labels{stabilizer_labels_};
  for (const Factor& factor : step.factors) {
    with.push_back(tiles_.lookup(factor.value));
    labels.push_back(factor.labels);
  }
  tiles_[made] =
      by_rows(tiles_.lookup(made), chain_.labels_of(made), with, labels,
              [&](mlir::OpBuilder& b, mlir::ValueRange given) -> Value {
                const mlir::Type type = given.back().getType();
                Value sum = arith::MulFOp::create(b, loc_, given.back(),
                                                  converted(b, loc_, given[0], type));
                for (const auto [factor, value] : llvm::zip(step.factors, given.drop_front())) {
                  const Value other = converted(b, loc_, value, type);
                  sum = factor.divides ? arith::DivFOp::create(b, loc_, sum, other).getResult()
                                       : arith::MulFOp::create(b, loc_, sum, other).getResult();
                }
                return sum;
              });
}

}  // namespace tandem::compiler::online
