// An argument may not be written, so that bufferization copies it where a part of it is replaced,
// and copies the part as well: it was computed before there was a place for it. Here the copy of
// the argument comes first, and the part is computed in its place:
//
//   %r = generic outs(%empty)              %copy = alloc_tensor copy(%argument)
//   insert_slice %r into %argument    ->   %r = generic outs(%empty)
//                                          insert_slice %r into %copy
//
// Upstream's elimination of empty tensors then replaces %empty by the slice of %copy.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace bufferization = mlir::bufferization;
namespace tensor = mlir::tensor;

// The operation that computes what is inserted, for nothing else.
mlir::Operation* maker_of(tensor::InsertSliceOp insert) {
  auto op = insert.getSource().getDefiningOp<mlir::linalg::GenericOp>();
  if (!op || !op->hasOneUse() || op.getNumDpsInits() != 1) return nullptr;
  return op.getDpsInits().front().getDefiningOp<tensor::EmptyOp>() ? op : nullptr;
}

struct CopyBeforeInsert : FunctionPass<CopyBeforeInsert, PassName::copy_before_insert> {
  void run() {
    getOperation().walk([](tensor::InsertSliceOp insert) {
      mlir::Value whole = insert.getDest();
      auto argument = whole.getDefiningOp<bufferization::ToTensorOp>();
      mlir::Operation* maker = maker_of(insert);
      if (!argument || argument.getWritable() || maker == nullptr ||
          maker->getBlock() != insert->getBlock()) {
        return;
      }
      mlir::OpBuilder builder(maker);
      const mlir::Value copy = bufferization::AllocTensorOp::create(
          builder, insert.getLoc(), insert.getDestType(), mlir::ValueRange(), whole);
      insert.getDestMutable().set(copy);
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_copy_before_insert_pass() {
  return std::make_unique<CopyBeforeInsert>();
}

}  // namespace tandem::compiler
