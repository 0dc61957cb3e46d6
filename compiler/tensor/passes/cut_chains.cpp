// Limits the number of operations that write one tensor in place, one after the other.
//
// Bufferization compares each of them with all readers and writers of the same memory, back to its
// origin: the time grows with the third power of the length of such a chain. For 72 scatters into
// one array this took ten seconds. A copy ends the chain; it costs little compared with the
// operations between two of them.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/tied_tensor.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

using mlir::Value;

constexpr int most_links = 16;

// The tensor that this result may be written into, or null.
Value written_into(mlir::OpResult result) {
  if (auto insert = mlir::dyn_cast<mlir::tensor::InsertSliceOp>(result.getOwner())) {
    return insert.getDest();
  }
  return tied_tensor(result);
}

Value copied(mlir::OpResult result) {
  const auto type = mlir::cast<mlir::RankedTensorType>(result.getType());
  mlir::OpBuilder builder(result.getContext());
  builder.setInsertionPointAfter(result.getOwner());
  const mlir::Location loc = result.getLoc();
  const Value room =
      mlir::tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
  return mlir::linalg::CopyOp::create(builder, loc, result, room).getResult(0);
}

struct CutChains : FunctionPass<CutChains, PassName::cut_chains> {
  void run() {
    llvm::DenseMap<Value, int> links;
    getOperation().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation* op) {
      for (const mlir::OpResult result : op->getResults()) {
        const auto type = mlir::dyn_cast<mlir::RankedTensorType>(result.getType());
        const Value before = type && type.hasStaticShape() ? written_into(result) : Value();
        if (!before) continue;
        const int length = links.lookup(before) + 1;
        links[result] = length;
        if (length < most_links || result.use_empty()) continue;
        const Value copy = copied(result);
        Value(result).replaceAllUsesExcept(copy, copy.getDefiningOp());
      }
    });
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_cut_chains_pass() { return std::make_unique<CutChains>(); }

}  // namespace tandem::compiler
