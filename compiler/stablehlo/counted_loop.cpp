#include "compiler/stablehlo/counted_loop.hpp"

#include "compiler/stablehlo/dialect.hpp"
#include "mlir/IR/BuiltinAttributes.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::Value;

// The value of a constant whose elements are all one number.
std::optional<std::int64_t> constant(Value value) {
  Operation* op = value.getDefiningOp();
  if (!is_stablehlo(op, "constant")) return std::nullopt;
  const auto numbers = op->getAttrOfType<mlir::DenseIntElementsAttr>("value");
  if (!numbers || !numbers.isSplat()) return std::nullopt;
  return numbers.getSplatValue<llvm::APInt>().getSExtValue();
}

// What is added to the counter.
std::optional<std::int64_t> step_of(Value next, Value counter) {
  Operation* sum = next.getDefiningOp();
  if (!is_stablehlo(sum, "add")) return std::nullopt;
  for (const unsigned side : {0U, 1U}) {
    const auto step = constant(sum->getOperand(1 - side));
    if (sum->getOperand(side) == counter && step && *step > 0) return step;
  }
  return std::nullopt;
}

}  // namespace

std::optional<CountedLoop> counted_loop(Operation* loop) {
  mlir::Block& condition = loop->getRegion(0).front();
  mlir::Block& body = loop->getRegion(1).front();
  Operation* compare = condition.getTerminator()->getOperand(0).getDefiningOp();
  if (!is_stablehlo(compare, "compare")) return std::nullopt;
  const auto direction = compare->getAttrOfType<mlir::StringAttr>("comparison_direction");
  const auto counter = mlir::dyn_cast<mlir::BlockArgument>(compare->getOperand(0));
  if (!direction || direction.getValue() != "LT" || !counter || counter.getOwner() != &condition) {
    return std::nullopt;
  }
  const unsigned number = counter.getArgNumber();
  const auto begin = constant(loop->getOperand(number));
  const auto end = constant(compare->getOperand(1));
  const auto step = step_of(body.getTerminator()->getOperand(number), body.getArgument(number));
  if (!begin || !end || !step) return std::nullopt;
  return CountedLoop{number, *begin, *end, *step};
}

}  // namespace tandem::compiler
