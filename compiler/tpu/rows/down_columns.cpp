// Reductions down columns of short rows: [turns, width] -> [width] with eight iterations in a
// register, a chunk of columns at a time. Otherwise, a row of VMEM that is no whole number of
// vectors leaves sublanes empty.
#include "compiler/tpu/rows/row_ops.hpp"
#include "compiler/tpu/select.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/machine_costs.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::OpFoldResult;
using mlir::Value;
using rows::Combiner;
using rows::Kind;

// The operation on the accumulated value, if the cross-lane unit supports it for sublanes.
mlir::Operation* last_of(mlir::linalg::LinalgOp op) {
  mlir::Block* body = op.getBlock();
  mlir::Operation* last = body->getTerminator()->getOperand(0).getDefiningOp();
  const Value sum = body->getArguments().back();
  const bool fits = op.getNumDpsInits() == 1 && last != nullptr && sum.hasOneUse() &&
                    (sum.getType().isF32() || sum.getType().isInteger(32)) &&
                    llvm::is_contained(last->getOperands(), sum) &&
                    mlir::isa<arith::AddFOp, arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp,
                              arith::MaxSIOp, arith::MinSIOp>(last);
  return fits ? last : nullptr;
}

struct Input {
  VmemRow row;
  Kind kind = Kind::full;
  bool used = true;
  llvm::SmallVector<Value> columns = {};  // of a column, by chunk, in all sublanes
};

class DownColumns : TpuBuilder {
 public:
  DownColumns(mlir::OpBuilder& builder, Memory& memory, const Parameters& parameters,
              mlir::linalg::LinalgOp op, mlir::Operation* last)
      : TpuBuilder(builder, op.getLoc()),
        memory_(memory),
        lanes_(parameters.lanes),
        op_(op),
        last_(last),
        combiner_(rows::combiner_of(last)),
        turns_(op.getStaticLoopRanges().front()),
        width_(op.getStaticLoopRanges().back()) {}

  bool fits();
  mlir::LogicalResult run();

 private:
  // Iterations from `first` on, whose rows begin `place` rows of VMEM after those of iteration 0.
  struct Turns {
    OpFoldResult first;
    OpFoldResult place;
  };
  using Values = llvm::SmallVector<Value>;

  [[nodiscard]] std::int64_t chunks() const { return llvm::divideCeil(width_, lanes_); }
  [[nodiscard]] std::int64_t lanes_of(std::int64_t chunk) const {
    return std::min(lanes_, width_ - chunk * lanes_);
  }
  Value mask_of(std::int64_t chunk) {
    if (lanes_of(chunk) == lanes_) return {};
    return make("vlt.s32", {make("vlane"), constant(lanes_of(chunk))});
  }
  OpFoldResult index(std::int64_t value) { return builder_.getIndexAttr(value); }
  OpFoldResult plus(OpFoldResult a, OpFoldResult b) { return add(builder_, loc_, a, b); }
  Value scalar(OpFoldResult value) {
    return mlir::getValueOrCreateConstantIndexOp(builder_, loc_, value);
  }

  bool describe(mlir::OpOperand& use);
  Value load(const VmemRow& row, std::int64_t chunk, OpFoldResult place, std::int64_t beyond,
             std::int64_t apart, std::int64_t count);
  Value load_row(const VmemRow& row, const Turns& turns, std::int64_t beyond, std::int64_t count);
  Value elements(std::int64_t chunk, const Turns& turns, std::int64_t beyond, std::int64_t count);
  Value with(std::int64_t chunk, const Turns& turns, std::int64_t beyond, std::int64_t count,
             Value sum);
  Values looped(llvm::ArrayRef<std::int64_t> together, std::int64_t groups);
  void batch(llvm::ArrayRef<std::int64_t> together);
  void finish(std::int64_t chunk, Value sum);

  Memory& memory_;
  std::int64_t lanes_;
  mlir::linalg::LinalgOp op_;
  mlir::Operation* last_;
  Combiner combiner_;
  std::int64_t turns_;
  std::int64_t width_;
  llvm::SmallVector<Input> inputs_;
  VmemRow output_;
  std::int64_t pitch_ = 0;  // rows of VMEM from one iteration to the next, for all operands with
                            // both loops
  bool failed_ = false;
};

bool DownColumns::describe(mlir::OpOperand& use) {
  llvm::SmallVector<std::int64_t> strides;
  std::int64_t ignored = 0;
  const auto type = mlir::cast<mlir::MemRefType>(use.get().getType());
  const auto row = memory_.row_of(builder_, use.get());
  if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) return false;
  if (op_.isDpsInit(&use)) {
    output_ = *row;
    return true;
  }
  Input input{*row, Kind::column, op_.payloadUsesValueFromOperand(&use)};
  const mlir::AffineMap map = op_.getMatchingIndexingMap(&use);
  if (map.getNumResults() == 2 && strides.front() != 0) {
    input.kind = Kind::full;
    const std::int64_t pitch = strides.front() / lanes_;
    if (input.used && pitch_ != 0 && pitch != pitch_) return false;
    if (input.used) pitch_ = pitch;
  } else if (map.getNumResults() == 1 && map.isFunctionOfDim(0)) {
    input.kind = Kind::row;
  }
  inputs_.push_back(input);
  return true;
}

bool DownColumns::fits() {
  constexpr std::int64_t most_chunks = 16;
  constexpr std::int64_t of_chunk = 4;     // cycles to begin and end one
  constexpr std::int64_t at_the_end = 16;  // of the last sum over sublanes
  for (mlir::OpOperand& use : op_->getOpOperands()) {
    if (!describe(use)) return false;
  }
  // Eight rows in different banks.
  if (pitch_ % 2 == 0 || pitch_ < 0 || pitch_ > stride_reach || chunks() > most_chunks)
    return false;
  const auto one_by_one =
      turns_ * static_cast<std::int64_t>(llvm::divideCeil(chunks(), std::int64_t{sublanes}));
  const auto by_eight =
      static_cast<std::int64_t>(llvm::divideCeil(turns_, std::int64_t{sublanes})) * chunks();
  return by_eight + chunks() * of_chunk + at_the_end < one_by_one;
}

// A chunk of `count` rows, `beyond` rows of VMEM after the place.
Value DownColumns::load(const VmemRow& row, std::int64_t chunk, OpFoldResult place,
                        std::int64_t beyond, std::int64_t apart, std::int64_t count) {
  const OpFoldResult moved = row.moved ? plus(row.moved, place) : place;
  VmemAddress from = vmem_address(builder_, loc_, row.fixed + chunk + beyond, moved, row.buffer);
  from.attributes.push_back(number("rows", count));
  from.attributes.push_back(number("stride", apart));
  if (const Value mask = mask_of(chunk)) from.registers.push_back(mask);
  return load_at(builder_, loc_, "vld", from);
}

// The words of these iterations, one per sublane, in all lanes.
Value DownColumns::load_row(const VmemRow& row, const Turns& turns, std::int64_t beyond,
                            std::int64_t count) {
  OpFoldResult word = turns.first;
  if (row.moved) word = plus(word, times(builder_, loc_, row.moved, lanes_));
  VmemAddress from = vmem_address(builder_, loc_, row.fixed * lanes_ + beyond, word, row.buffer);
  from.attributes.push_back(number("rows", count));
  return load_at(builder_, loc_, "vldc", from);
}

// The result of the body for `count` iterations, `beyond` after the first of these.
Value DownColumns::elements(std::int64_t chunk, const Turns& turns, std::int64_t beyond,
                            std::int64_t count) {
  Selector selector(builder_, loc_);
  mlir::Block* block = op_.getBlock();
  if (!block->getOps<mlir::linalg::IndexOp>().empty()) {
    const Value turn = scalar(plus(turns.first, index(beyond)));
    selector.turn_index = make("vadd.s32", {make("vsublane"), turn});
    selector.element_index = make("vadd.s32", {make("vlane"), constant(chunk * lanes_)});
  }
  for (const auto [argument, input] : llvm::zip(block->getArguments(), inputs_)) {
    if (!input.used) continue;
    Value value;
    switch (input.kind) {
      case Kind::row: value = load_row(input.row, turns, beyond, count); break;
      case Kind::column: value = input.columns[static_cast<std::size_t>(chunk)]; break;
      case Kind::full:
        value = load(input.row, chunk, turns.place, beyond * pitch_, pitch_, count);
        break;
    }
    selector.set(argument, argument.getType().isInteger(1) ? selector.as_mask(value) : value);
  }
  const Value sum = block->getArguments().back();
  const Value other = last_->getOperand(0) == sum ? last_->getOperand(1) : last_->getOperand(0);
  selector.set(sum, constant(0));
  failed_ = failed_ || mlir::failed(selector.run(*block, last_));
  const Value result = failed_ ? constant(0) : selector.as_vector(selector.get(other));
  return mlir::isa<VectorType>(result.getType()) ? result : make("vmov", result);
}

Value DownColumns::with(std::int64_t chunk, const Turns& turns, std::int64_t beyond,
                        std::int64_t count, Value sum) {
  const Value after = make(combiner_.vector, {sum, elements(chunk, turns, beyond, count)});
  if (count == sublanes) return after;
  return make("vsel", {make("vlt.s32", {make("vsublane"), constant(count)}), after, sum});
}

// The sums of these chunks over this many groups of eight iterations of the reduction, several
// groups in an iteration of the loop.
DownColumns::Values DownColumns::looped(llvm::ArrayRef<std::int64_t> together,
                                        std::int64_t groups) {
  constexpr std::size_t in_work = 4;  // independent sums
  const auto several = static_cast<std::int64_t>(
      std::min<std::size_t>(llvm::divideCeil(in_work, together.size()),
                            static_cast<std::size_t>(std::max<std::int64_t>(groups, 1))));
  const std::int64_t step = several * sublanes;
  const std::int64_t iterations = groups / several;
  Values start;
  for (std::size_t i = 0; i < together.size() * static_cast<std::size_t>(several); ++i) {
    start.push_back(make("vmov", constant(combiner_.identity)));
  }
  const auto all = [&](const Turns& turns, mlir::ValueRange carried) {
    Values sums;
    for (std::int64_t i = 0; i < several; ++i) {
      for (const std::int64_t chunk : together) {
        sums.push_back(with(chunk, turns, i * sublanes, sublanes, carried[sums.size()]));
      }
    }
    return sums;
  };
  Values sums = start;
  if (iterations == 1) sums = all({index(0), index(0)}, start);
  if (iterations > 1) {
    start.push_back(constant(0));
    auto loop = mlir::scf::ForOp::create(
        builder_, loc_, constant(0), constant(iterations * step * pitch_), constant(step * pitch_),
        start, [&](mlir::OpBuilder&, mlir::Location, Value place, mlir::ValueRange carried) {
          const mlir::OpBuilder::InsertionGuard guard(builder_);
          builder_.setInsertionPointToStart(place.getParentBlock());
          const Value first = carried.back();
          Values next = all({first, place}, carried.drop_back());
          next.push_back(arith::AddIOp::create(builder_, loc_, first, constant(step)));
          mlir::scf::YieldOp::create(builder_, loc_, next);
        });
    const auto results = loop.getResults().drop_back();
    sums.assign(results.begin(), results.end());
  }
  for (std::size_t i = together.size(); i < sums.size(); ++i) {
    Value& sum = sums[i % together.size()];
    sum = make(combiner_.vector, {sum, sums[i]});
  }
  sums.resize(together.size());
  for (std::int64_t group = iterations * several; group < groups; ++group) {
    const std::int64_t first = group * sublanes;
    for (const auto [chunk, sum] : llvm::zip(together, sums)) {
      sum = with(chunk, {index(first), index(first * pitch_)}, 0, sublanes, sum);
    }
  }
  return sums;
}

// The sum over sublanes, combined with the former value, goes to one row.
void DownColumns::finish(std::int64_t chunk, Value sum) {
  const std::string over_sublanes = "s" + combiner_.lanes.drop_front().str();
  const Value total = make(over_sublanes, sum);
  const Value before = load(output_, chunk, index(0), 0, 0, 1);
  const OpFoldResult moved = output_.moved ? OpFoldResult(output_.moved) : index(0);
  VmemAddress to = vmem_address(builder_, loc_, output_.fixed + chunk, moved, output_.buffer);
  to.registers.push_back(make(combiner_.vector, {before, total}));
  to.attributes.push_back(number("rows", 1));
  if (const Value mask = mask_of(chunk)) to.registers.push_back(mask);
  store_at(builder_, loc_, to);
}

void DownColumns::batch(llvm::ArrayRef<std::int64_t> together) {
  for (Input& input : inputs_) {
    if (!input.used || input.kind != Kind::column) continue;
    input.columns.resize(static_cast<std::size_t>(chunks()));
    for (const std::int64_t chunk : together) {
      input.columns[static_cast<std::size_t>(chunk)] =
          load(input.row, chunk, index(0), 0, 0, sublanes);
    }
  }
  const std::int64_t groups = turns_ / sublanes;
  Values sums = looped(together, groups);
  const std::int64_t first = groups * sublanes;
  for (const auto [chunk, sum] : llvm::zip(together, sums)) {
    if (first < turns_) {
      sum = with(chunk, {index(first), index(first * pitch_)}, 0, turns_ - first, sum);
    }
    finish(chunk, sum);
  }
}

mlir::LogicalResult DownColumns::run() {
  constexpr std::int64_t most_together = 4;
  llvm::SmallVector<std::int64_t> together;
  for (std::int64_t chunk = 0; chunk < chunks(); ++chunk) {
    together.push_back(chunk);
    if (std::cmp_less(together.size(), most_together) && chunk + 1 < chunks()) continue;
    batch(together);
    together.clear();
  }
  return mlir::failure(failed_);
}

}  // namespace

std::optional<mlir::LogicalResult> lower_down_columns(mlir::OpBuilder& builder, Memory& memory,
                                                      const Parameters& machine,
                                                      mlir::linalg::LinalgOp op) {
  if (op.getStaticLoopRanges().size() != 2) return std::nullopt;
  mlir::Operation* last = last_of(op);
  if (last == nullptr) return std::nullopt;
  DownColumns lowering(builder, memory, machine, op, last);
  if (!lowering.fits()) return std::nullopt;
  return lowering.run();
}

}  // namespace tandem::compiler
