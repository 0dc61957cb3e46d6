// Transposes that move only dimensions of one element become reshapes, which cost nothing.
//
//   [1, 1, s, h, c] -> [1, s, h, 1, c]
//
// What JAX makes of attention ends with one. Only those that fusion has left on their own: inside
// of another operation they cost nothing either, and a reshape would keep it apart from its
// producers.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::Value;
using mlir::linalg::GenericOp;
using Groups = llvm::SmallVector<mlir::ReassociationIndices>;

// Whether the operation moves elements without changing their order.
bool keeps_order(GenericOp op) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1) return false;
  if (op.getNumParallelLoops() != op.getNumLoops()) return false;
  auto& body = *op.getBody();
  if (&body.front() != body.getTerminator()) return false;
  if (body.getTerminator()->getOperand(0) != body.getArgument(0)) return false;
  const auto maps = op.getIndexingMapsArray();
  if (!maps[0].isPermutation() || !maps[1].isIdentity() || maps[0].isIdentity()) return false;
  const auto type = mlir::cast<mlir::RankedTensorType>(op.getResult(0).getType());
  std::int64_t last = -1;
  for (const mlir::AffineExpr from : maps[0].getResults()) {
    const auto loop =
        static_cast<std::int64_t>(mlir::cast<mlir::AffineDimExpr>(from).getPosition());
    if (type.getDimSize(static_cast<unsigned>(loop)) == 1) continue;
    if (loop < last) return false;
    last = loop;
  }
  return last >= 0;
}

// The dimensions, in groups with one of more than one element each.
Groups around_long(llvm::ArrayRef<std::int64_t> shape) {
  Groups groups;
  bool has_long = true;
  for (const auto [index, size] : llvm::enumerate(shape)) {
    if (groups.empty() || (has_long && size != 1)) {
      groups.emplace_back();
      has_long = false;
    }
    groups.back().push_back(static_cast<std::int64_t>(index));
    has_long = has_long || size != 1;
  }
  return groups;
}

Value reshaped_only(mlir::OpBuilder& builder, GenericOp op) {
  const auto to = mlir::cast<mlir::RankedTensorType>(op.getResult(0).getType());
  const Value from = op->getOperand(0);
  llvm::SmallVector<std::int64_t> sizes;
  for (const std::int64_t size : to.getShape()) {
    if (size != 1) sizes.push_back(size);
  }
  const auto plain = mlir::RankedTensorType::get(sizes, to.getElementType());
  const Value short_one = tensor::CollapseShapeOp::create(
      builder, op.getLoc(), plain, from, around_long(tensor_type_of(from).getShape()));
  return tensor::ExpandShapeOp::create(builder, op.getLoc(), to, short_one,
                                       around_long(to.getShape()));
}

struct ReshapeTransposes : FunctionPass<ReshapeTransposes, PassName::reshape_transposes> {
  void run() {
    llvm::SmallVector<GenericOp> moves;
    getOperation()->walk([&](GenericOp op) {
      if (keeps_order(op)) moves.push_back(op);
    });
    for (GenericOp move : moves) {
      mlir::OpBuilder builder(move);
      move.getResult(0).replaceAllUsesWith(reshaped_only(builder, move));
      move->erase();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_reshape_transposes_pass() {
  return std::make_unique<ReshapeTransposes>();
}

}  // namespace tandem::compiler
