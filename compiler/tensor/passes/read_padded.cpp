// A convolution over a padded tensor reads slices of it, one for each tap. The slice of the tap in
// the middle is the tensor before padding, and canonicalization says so. Both tensors are then in
// VMEM, one copied from the other; or the operation is cut into blocks, as one operand comes from
// HBM. So an operation that reads slices of the padded tensor reads all of them there:
//
//   %p = insert_slice %t into ...         %p = insert_slice %t into ...
//   generic ins(%t, slice of %p)    ->    generic ins(extract_slice %p, slice of %p)
//
// After the last canonicalization of tensors, which would undo it.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::Value;

// The tensor that `value` is a slice of; null for no slice.
Value sliced(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice ? slice.getSource() : Value();
}

struct ReadPadded : FunctionPass<ReadPadded, PassName::read_padded> {
  void run() {
    llvm::SmallVector<tensor::InsertSliceOp> inserts;
    getOperation().walk([&](tensor::InsertSliceOp op) {
      if (op.getSourceType().getRank() == op.getDestType().getRank()) inserts.push_back(op);
    });
    for (tensor::InsertSliceOp insert : inserts) read_there(insert);
  }

 private:
  static void read_there(tensor::InsertSliceOp insert) {
    const auto is_reader = [&](mlir::Operation* user) {
      auto generic = mlir::dyn_cast<mlir::linalg::GenericOp>(user);
      return generic && llvm::any_of(generic.getInputs(), [&](Value input) {
               return sliced(input) == insert.getResult();
             });
    };
    Value slice;
    for (mlir::OpOperand& use : llvm::make_early_inc_range(insert.getSource().getUses())) {
      if (!is_reader(use.getOwner())) continue;
      auto generic = mlir::cast<mlir::linalg::GenericOp>(use.getOwner());
      if (!generic.isDpsInput(&use)) continue;
      if (!slice) {
        mlir::OpBuilder builder(insert->getContext());
        builder.setInsertionPointAfter(insert);
        slice = tensor::ExtractSliceOp::create(builder, insert.getLoc(), insert.getSourceType(),
                                               insert.getResult(), insert.getMixedOffsets(),
                                               insert.getMixedSizes(), insert.getMixedStrides());
      }
      use.set(slice);
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_read_padded_pass() { return std::make_unique<ReadPadded>(); }

}  // namespace tandem::compiler
