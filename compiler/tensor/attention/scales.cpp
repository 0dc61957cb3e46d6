// The factors of wide operations and sinks of a chain: exponentials of differences from values
// derived from the keys, and the factors of the rows.
#include "compiler/tensor/attention/chain.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler::online {

using mlir::Value;
using mlir::linalg::LinalgOp;
namespace arith = mlir::arith;

namespace {

bool begins_with_zero(LinalgOp op) {
  auto fill = op.getDpsInitOperand(0)->get().getDefiningOp<mlir::linalg::FillOp>();
  return fill && mlir::matchPattern(fill.getInputs().front(), mlir::m_AnyZeroFloat());
}

bool is_made_of(Value value, llvm::function_ref<bool(Value)> leaf) {
  if (leaf(value)) return true;
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr) return false;
  return llvm::any_of(op->getOperands(), [&](Value part) { return is_made_of(part, leaf); });
}

// Whether a value of a body is proportional to `root`. Quotients and products with values for which
// `is_factor` is true are noted.
bool is_proportional(Value value, Value root, llvm::function_ref<bool(Value)> is_factor,
                     llvm::DenseMap<Value, Value>& without,
                     llvm::SmallVectorImpl<std::pair<bool, Value>>& factors) {
  if (value == root) return true;
  mlir::Operation* op = value.getDefiningOp();
  if (op == nullptr) return false;
  const auto free = [&](Value other) {
    return !is_made_of(other, [&](Value leaf) { return leaf == root || is_factor(leaf); });
  };
  const auto through = [&](Value next) {
    return is_proportional(next, root, is_factor, without, factors);
  };
  const auto product = [&](Value scaled, Value other, bool divides) {
    if (!through(scaled)) return false;
    if (free(other)) return true;
    if (!is_factor(other)) return false;
    factors.push_back({divides, other});
    without[value] = scaled;
    return true;
  };
  if (auto divided = mlir::dyn_cast<arith::DivFOp>(op)) {
    return product(divided.getLhs(), divided.getRhs(), true);
  }
  if (auto times = mlir::dyn_cast<arith::MulFOp>(op)) {
    return is_made_of(times.getLhs(), [&](Value leaf) { return leaf == root; })
               ? product(times.getLhs(), times.getRhs(), false)
               : product(times.getRhs(), times.getLhs(), false);
  }
  if (mlir::isa<arith::TruncFOp, arith::ExtFOp>(op)) return through(op->getOperand(0));
  if (auto choice = mlir::dyn_cast<arith::SelectOp>(op)) {
    if (!free(choice.getCondition())) return false;
    const auto side = [&](Value part) {
      return mlir::matchPattern(part, mlir::m_AnyZeroFloat()) || through(part);
    };
    return side(choice.getTrueValue()) && side(choice.getFalseValue());
  }
  return false;
}

}  // namespace

const Exponential* Chain::exponential_of(const Step& step) const {
  const auto* const found = llvm::find_if(
      exponentials_, [&](const Exponential& one) { return one.result == step.result(); });
  return found == exponentials_.end() ? nullptr : found;
}

// Whether the exponentials so far have this operand, too: they share their maximum.
bool Chain::is_of_the_same(const Step& step, Value minuend) const {
  if (exponentials_.empty()) return true;
  const auto here = mlir::dyn_cast<mlir::BlockArgument>(minuend);
  const auto there = mlir::dyn_cast<mlir::BlockArgument>(exponentials_.front().minuend);
  if (!here || !there) return false;
  const auto* const first = llvm::find_if(
      steps_, [&](const Step& other) { return other.result() == exponentials_.front().result; });
  mlir::OpOperand& mine = step.linalg()->getOpOperand(here.getArgNumber());
  mlir::OpOperand& theirs = first->linalg()->getOpOperand(there.getArgNumber());
  return mine.get() == theirs.get() && labels_of(step, mine) == labels_of(*first, theirs);
}

// The exponential of a difference from a result of sinks, which has one value per row.
std::optional<Exponential> Chain::find_exponential(const Step& step,
                                                   const llvm::SmallDenseSet<Value>& narrow) const {
  const auto is_narrow = [&](Value leaf) { return narrow.contains(leaf); };
  const auto is_number = [](Value leaf) {
    return leaf.getDefiningOp<mlir::linalg::IndexOp>() != nullptr;
  };
  std::optional<Exponential> found;
  step.linalg()->getRegion(0).walk([&](mlir::math::ExpOp exponential) {
    auto difference = exponential.getOperand().getDefiningOp<arith::SubFOp>();
    if (!difference || !is_made_of(difference.getRhs(), is_narrow) ||
        is_made_of(difference.getRhs(), is_number) || is_made_of(difference.getLhs(), is_narrow)) {
      return;
    }
    found = {exponential.getResult(), difference.getLhs(), difference.getRhs()};
  });
  if (!found || !is_of_the_same(step, found->minuend)) return std::nullopt;
  for (mlir::OpOperand* input : step.inputs()) {
    const Value argument = step.linalg().getMatchingBlockArgument(input);
    if (!is_made_of(found->subtrahend, [&](Value leaf) { return leaf == argument; })) continue;
    if (!is_by_row(step, *input)) return std::nullopt;
  }
  return found;
}

// Two scaled inputs have no common scale: nothing then.
std::optional<Chain::ScaledInputs> Chain::scaled_inputs(Step& step) {
  ScaledInputs found;
  for (mlir::OpOperand* input : step.inputs()) {
    const Step* made = step_of(input->get());
    if (made == nullptr) continue;
    const Value argument = step.op.getMatchingBlockArgument(input);
    if (made->kind != Kind::wide) found.narrow.insert(argument);
    if (made->kind != Kind::wide || made->scaled_by < 0) continue;
    if (found.scaled) return std::nullopt;
    found.scaled = argument;
    step.factors = made->factors;
    step.scaled_by = made->scaled_by;
  }
  return found;
}

// The exponential by which the step is scaled from here on; null where it has none.
Value Chain::take_exponential(Step& step, const llvm::SmallDenseSet<Value>& narrow) {
  auto found = find_exponential(step, narrow);
  if (!found) return {};
  const Value result = found->result;
  found->result = step.result();
  step.scaled_by = static_cast<int>(exponentials_.size());
  exponentials_.push_back(*found);
  return result;
}

// The use that a wide operation makes of values of sinks, or of values scaled by them.
bool Chain::scale_wide(Step& step) {
  const auto inputs = scaled_inputs(step);
  if (!inputs) return false;
  const auto& narrow = inputs->narrow;
  Value scaled = inputs->scaled;
  if (narrow.empty() && !scaled) return true;
  if (!mlir::isa<mlir::linalg::GenericOp>(step.op.getOperation())) return false;
  if (!scaled) {
    scaled = take_exponential(step, narrow);
    if (!scaled) return false;
  }
  llvm::SmallVector<std::pair<bool, Value>> found;
  if (!is_proportional(
          step.op.getBlock()->getTerminator()->getOperand(0), scaled,
          [&](Value leaf) { return narrow.contains(leaf); }, step.without_factors, found)) {
    return false;
  }
  for (const auto& [divides, argument] : found) {
    const auto number = mlir::cast<mlir::BlockArgument>(argument).getArgNumber();
    mlir::OpOperand& operand = step.op->getOpOperand(number);
    step.factors.push_back({divides, operand.get(), labels_of(step, operand)});
  }
  return true;
}

// Only sums can be corrected afterwards.
bool Chain::scale_sink(Step& step) {
  const auto inputs = scaled_inputs(step);
  if (!inputs) return false;
  const auto& narrow = inputs->narrow;
  Value scaled = inputs->scaled;
  if (narrow.empty() && !scaled) return true;
  mlir::Block& body = *step.op.getBlock();
  auto sum = body.getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  const Value before = body.getArguments().back();
  if (!sum || !begins_with_zero(step.op) || (sum.getLhs() != before && sum.getRhs() != before)) {
    return false;
  }
  if (!scaled) {
    // The exponential may have become a part of its sum.
    scaled = take_exponential(step, narrow);
    if (!scaled) return false;
    if (maximum() == nullptr) return false;
  } else if (!narrow.empty()) {
    return false;
  }
  const Value term = sum.getLhs() == before ? sum.getRhs() : sum.getLhs();
  llvm::DenseMap<Value, Value> without;
  llvm::SmallVector<std::pair<bool, Value>> factors;
  const auto is_factor = [&](Value leaf) { return leaf == before || narrow.contains(leaf); };
  return is_proportional(term, scaled, is_factor, without, factors) && factors.empty();
}

bool Chain::find_scales() {
  for (Step& step : steps_) {
    switch (step.kind) {
      case Kind::wide:
        if (!scale_wide(step)) return false;
        break;
      case Kind::sink:
        if (!scale_sink(step)) return false;
        break;
      case Kind::narrow: break;
    }
  }
  return true;
}

}  // namespace tandem::compiler::online
