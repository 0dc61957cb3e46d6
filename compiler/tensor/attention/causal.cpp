#include "compiler/tensor/attention/causal.hpp"

#include "compiler/tensor/masked_tail.hpp"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler::online {
namespace {

using mlir::linalg::GenericOp;

GenericOp generic_of(const Step& step) {
  return mlir::dyn_cast<GenericOp>(step.linalg().getOperation());
}

// The mask of a selection in the step's body that ends at the row's own index.
std::optional<MaskEnd> causal_mask(const Chain& chain, const Step& step) {
  GenericOp op = generic_of(step);
  if (step.kind != Kind::wide || !op) return std::nullopt;
  for (auto select : op.getBody()->getOps<mlir::arith::SelectOp>()) {
    for (const MaskedSelection& found : masked_selections(op, select)) {
      const MaskEnd& mask = found.mask;
      if (mask.limit_loop && step.loops[mask.loop] == keys &&
          step.loops[*mask.limit_loop] == chain.main_row()) {
        return mask;
      }
    }
  }
  return std::nullopt;
}

// Whether a narrow step passes on the maximum: unchanged, or zero where that is no finite number.
bool is_maximum(const Step& step, const llvm::DenseSet<mlir::Value>& maxima) {
  GenericOp op = generic_of(step);
  if (!op || op->getNumResults() != 1) return false;
  const auto is_input = [&](mlir::Value value) {
    const auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
    mlir::OpOperand* operand = argument && argument.getOwner() == op.getBody()
                                   ? op.getMatchingOpOperand(argument)
                                   : nullptr;
    return operand != nullptr && op.isDpsInput(operand) && maxima.contains(operand->get());
  };
  const mlir::Value result = op.getBody()->getTerminator()->getOperand(0);
  if (is_input(result)) return true;
  if (auto larger = result.getDefiningOp<mlir::arith::MaximumFOp>()) {
    return (is_input(larger.getLhs()) && is_minus_infinity(larger.getRhs())) ||
           (is_input(larger.getRhs()) && is_minus_infinity(larger.getLhs()));
  }
  auto select = result.getDefiningOp<mlir::arith::SelectOp>();
  return select && is_input(select.getTrueValue()) &&
         mlir::matchPattern(select.getFalseValue(), mlir::m_AnyZeroFloat());
}

// The value of every sink's operand where the mask is off, if it has no effect.
std::optional<Past> nothing_to_sinks(const Chain& chain, MaskEnd mask) {
  LowTails low;
  TailOperands known;
  if (const Step* maximum = chain.maximum()) {
    low.maxima.insert(maximum->result());
    known.low = &low;
  }
  for (const Step& step : chain.steps()) {
    const mlir::Value result = step.result();
    if (step.kind == Kind::narrow) {
      known.of_rows.insert(result);
      if (is_maximum(step, low.maxima)) low.maxima.insert(result);
      continue;
    }
    GenericOp op = generic_of(step);
    if (!op || llvm::count(step.loops, keys) != 1) return std::nullopt;
    mask.loop = static_cast<unsigned>(llvm::find(step.loops, keys) - step.loops.begin());
    const Tail tail = tail_of_result(op, mask, step.kind == Kind::sink, known);
    if (step.kind == Kind::wide) {
      known.tails[result] = tail;
    } else if (tail == Tail::zero) {
      known.of_rows.insert(result);
    } else {
      return std::nullopt;
    }
  }
  return Past{low.constant};
}

}  // namespace

std::optional<Past> keeps_to_the_past(const Chain& chain) {
  for (const Step& step : chain.steps()) {
    const auto mask = causal_mask(chain, step);
    if (!mask) continue;
    if (const auto past = nothing_to_sinks(chain, *mask)) return past;
  }
  return std::nullopt;
}

}  // namespace tandem::compiler::online
