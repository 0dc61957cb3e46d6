// Every linalg operation on buffers becomes loops over tiles in VMEM.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tiled/kernel.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tandem::compiler {
namespace {

struct Tile : FunctionPass<Tile, PassName::tile> {
  explicit Tile(const Parameters& machine) : machine(machine) {}

  void run() {
    flatten_subviews();
    // Tiles use the VMEM that resident buffers leave.
    Parameters left = machine;
    if (const auto words = attribute::vmem_left.get(getOperation())) {
      left.vmem_bytes = static_cast<std::uint32_t>(4 * words.getInt());
      attribute::vmem_left.remove(getOperation());
    }
    fold_fills(getOperation(), left);
    llvm::SmallVector<mlir::linalg::LinalgOp> all;
    getOperation().walk([&](mlir::linalg::LinalgOp op) { all.push_back(op); });
    for (mlir::linalg::LinalgOp op : all) {
      if (mlir::failed(tile(op, left))) return signalPassFailure();
    }
    stage_moves(getOperation(), left);
  }

  const Parameters& machine;

 private:
  // A subview as one offset and its strides, in the form of every other view.
  void flatten_subviews() {
    llvm::SmallVector<mlir::memref::SubViewOp> all;
    getOperation().walk([&](mlir::memref::SubViewOp view) { all.push_back(view); });
    for (mlir::memref::SubViewOp view : all) {
      mlir::OpBuilder builder(view);
      const mlir::Location loc = view.getLoc();
      Sizes source;
      Sizes strides;
      std::int64_t ignored = 0;
      if (mlir::failed(view.getSourceType().getStridesAndOffset(source, ignored)) ||
          mlir::failed(view.getType().getStridesAndOffset(strides, ignored))) {
        continue;  // has no address on the machine either, and is refused there
      }
      mlir::OpFoldResult offset = builder.getIndexAttr(0);
      for (const auto [start, stride] : llvm::zip(view.getMixedOffsets(), source)) {
        offset = add(builder, loc, offset, times(builder, loc, start, stride));
      }
      view.replaceAllUsesWith(
          strided_view(builder, loc, view.getSource(), offset, view.getType().getShape(), strides));
      view.erase();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_tile_pass(const Parameters& machine) {
  return std::make_unique<Tile>(machine);
}

}  // namespace tandem::compiler
