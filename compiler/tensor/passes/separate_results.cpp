// Upstream lets a result grow in the memory of the launch from its first, empty tensor on. That is
// wrong where something on the way is needed for anything else: the copy of the finished result
// into that memory comes at the end, and nobody sees that it overwrites what others still have
// there. Nor does it look into more than one branch: the others would hand on other memory. Such
// results get memory of their own and are copied.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/tied_tensor.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;

bool grows_alone(Value value) {
  while (const auto result = mlir::dyn_cast_or_null<mlir::OpResult>(value)) {
    if (mlir::isa<mlir::scf::IfOp>(result.getOwner())) return false;
    value = tied_tensor(result);
    if (!value) return true;
    if (mlir::isa_and_nonnull<mlir::tensor::EmptyOp>(value.getDefiningOp())) return true;
    if (!value.hasOneUse()) return false;
  }
  return true;
}

struct SeparateResults : FunctionPass<SeparateResults, PassName::separate_results> {
  void run() {
    getOperation().walk([](MaterializeInDestinationOp op) {
      const Value value = op.getSource();
      if (grows_alone(value)) return;
      mlir::OpBuilder builder(op);
      const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
      const Value room = mlir::tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                                       type.getElementType());
      op.getSourceMutable().assign(
          mlir::linalg::CopyOp::create(builder, op.getLoc(), value, room).getResult(0));
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_separate_results_pass() {
  return std::make_unique<SeparateResults>();
}

}  // namespace tandem::compiler
