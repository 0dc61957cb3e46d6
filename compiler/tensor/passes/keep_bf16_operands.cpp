// Operands of contractions that were widened from bf16 are used unwidened: the matrix unit reads
// them exactly, and needs fewer products for them.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

using mlir::Value;
using mlir::linalg::GenericOp;

// The bf16 tensor with the same elements as this one, or null.
Value narrow_source(Value wide) {
  auto producer = wide.getDefiningOp<GenericOp>();
  if (!producer || producer.getNumDpsInputs() != 1 || producer->getNumResults() != 1) return {};
  mlir::Block* body = producer.getBody();
  auto widened = body->getTerminator()->getOperand(0).getDefiningOp<mlir::arith::ExtFOp>();
  const Value source = producer.getDpsInputs().front();
  const bool only_widens =
      widened && body->getOperations().size() == 2 && widened.getIn() == body->getArgument(0) &&
      widened.getIn().getType().isBF16() && mlir::isa<mlir::RankedTensorType>(source.getType());
  const bool in_place = llvm::all_of(producer.getIndexingMapsArray(),
                                     [](mlir::AffineMap map) { return map.isIdentity(); });
  return only_widens && in_place ? source : Value();
}

void take_narrow(GenericOp op, unsigned operand) {
  const Value source = narrow_source(op.getDpsInputs()[operand]);
  if (!source) return;
  const mlir::BlockArgument argument = op.getBody()->getArgument(operand);
  mlir::OpBuilder builder(op.getBody(), op.getBody()->begin());
  const mlir::Type wide = argument.getType();
  op.getDpsInputOperand(operand)->set(source);
  Value(argument).setType(builder.getBF16Type());
  auto widened = mlir::arith::ExtFOp::create(builder, op.getLoc(), wide, argument);
  Value(argument).replaceAllUsesExcept(widened, widened);
}

struct KeepBf16Operands : FunctionPass<KeepBf16Operands, PassName::keep_bf16_operands> {
  void run() {
    getOperation().walk([](GenericOp op) {
      if (!attribute::precision.is_on(op) || op.getNumDpsInputs() != 2) return;
      take_narrow(op, 0);
      take_narrow(op, 1);
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_keep_bf16_operands_pass() {
  return std::make_unique<KeepBf16Operands>();
}

}  // namespace tandem::compiler
