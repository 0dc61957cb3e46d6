#include "compiler/tensor/attention/causal.hpp"

#include "compiler/tensor/masked_tail.hpp"

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

// Whether all sinks see nothing where the mask is off.
bool is_nothing_to_sinks(const Chain& chain, MaskEnd mask) {
  TailOperands known;
  for (const Step& step : chain.steps()) {
    const mlir::Value result = step.result();
    if (step.kind == Kind::narrow) {
      known.of_rows.insert(result);
      continue;
    }
    GenericOp op = generic_of(step);
    if (!op || llvm::count(step.loops, keys) != 1) return false;
    mask.loop = static_cast<unsigned>(llvm::find(step.loops, keys) - step.loops.begin());
    const Tail tail = tail_of_result(op, mask, step.kind == Kind::sink, known);
    if (step.kind == Kind::wide) {
      known.tails[result] = tail;
    } else if (tail == Tail::zero) {
      known.of_rows.insert(result);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

bool keeps_to_the_past(const Chain& chain) {
  return llvm::any_of(chain.steps(), [&](const Step& step) {
    const auto mask = causal_mask(chain, step);
    return mask && is_nothing_to_sinks(chain, *mask);
  });
}

}  // namespace tandem::compiler::online
