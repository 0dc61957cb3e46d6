// Notes on functions of fp32 the known ranges of their operands, so that their instructions need
// not handle cases that do not occur: zeros, infinities and extreme numbers.
//
//   math.exp     tandem.not_large   the operand is at most 200, or NaN
//   arith.divf   tandem.tame        the dividend is finite, the divisor below 2^96
//                tandem.unscaled    the divisor is below 2^96, or infinite
//   math.sqrt    tandem.positive    the operand is above zero
//
// The most useful fact is that a number minus the largest of its row is at most zero. The pass runs
// before fusion, while each tensor is computed by an operation of its own; bodies keep the notes.
//
// The gain: an exponential took ten vector operations and a division ten, most of them for
// infinities, divisors beyond 2^96 and arguments beyond 200. Multiplying by a plain inverse would
// be wrong by 1.5 units (decision 70).
#include <cmath>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/combiner.hpp"
#include "compiler/tensor/value_ranges.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;
using mlir::linalg::GenericOp;

class Ranges {
 public:
  void visit(mlir::Operation* op);

 private:
  void visit(GenericOp op);
  void body(GenericOp op, llvm::DenseMap<Value, ValueRange>& values);
  void find_bounds(GenericOp op);
  void bounds_of_maximum(GenericOp op);
  void hand_on_bounds(GenericOp op, mlir::OpOperand& operand);
  [[nodiscard]] bool is_below(GenericOp op, mlir::OpOperand& value, mlir::OpOperand& bound) const;

  llvm::DenseMap<Value, ValueRange> ranges_;
  llvm::DenseMap<Value, llvm::SmallVector<UpperBound>> bounds_;  // by the bound
};

bool is_finite(ValueRange range) {
  constexpr double largest = 1e37;  // intermediate rounding is far less
  return -largest < range.low && range.high < largest;
}

void note_on(mlir::Operation* op, llvm::ArrayRef<ValueRange> operands) {
  constexpr double large = 200;
  constexpr double smallest = 0x1p-120;  // a number that is not flushed stays at least this after
                                         // rounding
  if (mlir::isa<mlir::math::ExpOp>(op) && operands[0].high <= large) attribute::not_large.set(op);
  if (mlir::isa<mlir::math::SqrtOp>(op) && operands[0].low >= smallest) attribute::positive.set(op);
  if (mlir::isa<arith::DivFOp>(op)) {
    const double divisor = std::max(std::abs(operands[1].low), std::abs(operands[1].high));
    if (is_finite(operands[0]) && divisor < 0x1p96) {
      attribute::tame.set(op);
    } else if (std::min(divisor, operands[1].finite) < 0x1p96) {
      attribute::unscaled.set(op);
    }
  }
}

// The position of the loop in the map, -1: it does not appear by itself.
int place_of(mlir::AffineMap map, mlir::AffineExpr loop) {
  const auto* found = llvm::find(map.getResults(), loop);
  if (!mlir::isa<mlir::AffineDimExpr>(loop) || found == map.getResults().end()) return -1;
  return static_cast<int>(found - map.getResults().begin());
}

// Whether both are the same element in every iteration.
bool is_same(GenericOp op, mlir::OpOperand& a, mlir::OpOperand& b) {
  return a.get() == b.get() && op.getMatchingIndexingMap(&a) == op.getMatchingIndexingMap(&b);
}

bool Ranges::is_below(GenericOp op, mlir::OpOperand& value, mlir::OpOperand& bound) const {
  const mlir::AffineMap at = op.getMatchingIndexingMap(&value);
  const mlir::AffineMap bound_at = op.getMatchingIndexingMap(&bound);
  return llvm::any_of(bounds_.lookup(bound.get()), [&](const UpperBound& known) {
    if (known.source != value.get()) return false;
    for (const auto [dimension, place] : llvm::enumerate(known.places)) {
      if (place < 0) continue;
      const auto number = static_cast<unsigned>(dimension);
      if (at.getResult(number) != bound_at.getResult(static_cast<unsigned>(place))) return false;
    }
    return true;
  });
}

void Ranges::body(GenericOp op, llvm::DenseMap<Value, ValueRange>& values) {
  const auto operand_of = [&](Value value) -> mlir::OpOperand* {
    const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBody()) return nullptr;
    return &op->getOpOperand(argument.getArgNumber());
  };
  for (mlir::Operation& inner : op.getBody()->without_terminator()) {
    llvm::SmallVector<ValueRange> operands;
    for (const Value operand : inner.getOperands()) {
      const auto own = values.find(operand);
      operands.push_back(own == values.end() ? ranges_.lookup(operand) : own->second);
    }
    if (inner.getNumResults() != 1) continue;
    ValueRange result = range_of_result(&inner, operands);
    if (auto difference = mlir::dyn_cast<arith::SubFOp>(inner)) {
      mlir::OpOperand* value = operand_of(difference.getLhs());
      mlir::OpOperand* bound = operand_of(difference.getRhs());
      if (value != nullptr && bound != nullptr && is_below(op, *value, *bound)) {
        result.high = std::min(result.high, 0.0);
      }
    }
    if (auto product = mlir::dyn_cast<arith::MulFOp>(inner)) {
      mlir::OpOperand* left = operand_of(product.getLhs());
      mlir::OpOperand* right = operand_of(product.getRhs());
      if (left != nullptr && right != nullptr && is_same(op, *left, *right)) {
        result.low = std::max(result.low, 0.0);
      }
    }
    note_on(&inner, operands);
    values[inner.getResult(0)] = result;
  }
}

// The operand that a maximum over some dimensions bounds.
void Ranges::bounds_of_maximum(GenericOp op) {
  mlir::Operation* combiner = combiner_of(op);
  if (op.getNumDpsInputs() != 1 || !mlir::isa_and_nonnull<arith::MaximumFOp>(combiner) ||
      op.getBody()->getOperations().size() != 2) {
    return;
  }
  mlir::OpOperand* input = op.getDpsInputOperand(0);
  const mlir::AffineMap from = op.getMatchingIndexingMap(input);
  const mlir::AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!from.isPermutation()) return;
  UpperBound bound{input->get(), {}};
  for (const mlir::AffineExpr loop : from.getResults()) {
    bound.places.push_back(place_of(to, loop));
  }
  bounds_[op->getResult(0)].push_back(bound);
}

// A bound for the operand is one for the result, too: it is the operand in other places, or larger.
void Ranges::hand_on_bounds(GenericOp op, mlir::OpOperand& operand) {
  const mlir::AffineMap from = op.getMatchingIndexingMap(&operand);
  const mlir::AffineMap to = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (const UpperBound& bound : bounds_.lookup(operand.get())) {
    UpperBound next{bound.source, {}};
    bool holds = true;
    for (const int place : bound.places) {
      const int now = place < 0 ? -1 : place_of(to, from.getResult(static_cast<unsigned>(place)));
      holds = holds && (place < 0 || now >= 0);
      next.places.push_back(now);
    }
    if (holds) bounds_[op->getResult(0)].push_back(next);
  }
}

void Ranges::find_bounds(GenericOp op) {
  bounds_of_maximum(op);
  if (op.getNumReductionLoops() != 0 || op->getNumResults() != 1) return;
  const Value yielded = op.getBody()->getTerminator()->getOperand(0);
  mlir::Operation* last = yielded.getDefiningOp();
  for (mlir::OpOperand* input : op.getDpsInputOperands()) {
    const Value argument = op.getBody()->getArgument(input->getOperandNumber());
    const bool larger = mlir::isa_and_nonnull<arith::MaximumFOp>(last) &&
                        llvm::is_contained(last->getOperands(), argument);
    if (yielded == argument || larger) hand_on_bounds(op, *input);
  }
}

void Ranges::visit(GenericOp op) {
  llvm::DenseMap<Value, ValueRange> values;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    values[op.getBody()->getArgument(operand.getOperandNumber())] = ranges_.lookup(operand.get());
  }
  mlir::Operation* combiner = combiner_of(op);
  const Value before = op.getBody()->getArguments().back();
  body(op, values);
  find_bounds(op);
  for (const auto [result, yielded] :
       llvm::zip(op->getResults(), op.getBody()->getTerminator()->getOperands())) {
    if (op.getNumReductionLoops() == 0) {
      ranges_[result] = values.lookup(yielded);
    } else if (combiner != nullptr) {
      const unsigned other = combiner->getOperand(0) == before ? 1 : 0;
      double count = 1;
      for (const auto [size, kind] :
           llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
        if (kind == mlir::utils::IteratorType::reduction) count *= static_cast<double>(size);
      }
      ranges_[result] = range_of_reduction(combiner, values.lookup(combiner->getOperand(other)),
                                           values.lookup(before), count);
    }
  }
}

void Ranges::visit(mlir::Operation* op) {
  if (auto generic = mlir::dyn_cast<GenericOp>(op)) return visit(generic);
  if (auto fill = mlir::dyn_cast<mlir::linalg::FillOp>(op)) {
    if (fill->getNumResults() == 1)
      ranges_[fill->getResult(0)] = ranges_.lookup(fill.getInputs()[0]);
  } else if (mlir::isa<mlir::tensor::ExpandShapeOp, mlir::tensor::CollapseShapeOp,
                       mlir::tensor::ExtractSliceOp>(op)) {
    ranges_[op->getResult(0)] = ranges_.lookup(op->getOperand(0));
  } else if (auto constant = mlir::dyn_cast<arith::ConstantOp>(op)) {
    const auto splat = mlir::dyn_cast<mlir::SplatElementsAttr>(constant.getValue());
    if (splat && splat.getElementType().isF32()) {
      const double value = splat.getSplatValue<mlir::APFloat>().convertToDouble();
      if (!std::isnan(value)) ranges_[constant.getResult()] = {value, value};
    } else if (!splat) {
      ranges_[constant.getResult()] = range_of_result(op, {});
    }
  }
}

struct NoteRanges : FunctionPass<NoteRanges, PassName::note_ranges> {
  void run() {
    Ranges ranges;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      if (!op->getParentOfType<GenericOp>()) ranges.visit(op);
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_note_ranges_pass() { return std::make_unique<NoteRanges>(); }

}  // namespace tandem::compiler
