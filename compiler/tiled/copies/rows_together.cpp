#include "compiler/tiled/copies/rows_together.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;
using mlir::Operation;
using mlir::Value;
using mlir::linalg::LinalgOp;

// The next operation in a direction (`step`), if it is one on rows.
template <typename Step>
LinalgOp next_on_rows(Operation* op, Step step) {
  do op = step(op);
  while (op != nullptr && is_free(op));
  return op != nullptr && attribute::rows.is_on(op) ? mlir::dyn_cast<LinalgOp>(op) : LinalgOp();
}
LinalgOp rows_before(Operation* op) {
  return next_on_rows(op, [](Operation* at) { return at->getPrevNode(); });
}
LinalgOp rows_after(Operation* op) {
  return next_on_rows(op, [](Operation* at) { return at->getNextNode(); });
}

// Whether two buffers have places already, with words in common: one is to be written when the
// other is read no more.
bool share_a_place(Value one, Value other) {
  auto first = one.getDefiningOp<memref::AllocOp>();
  auto second = other.getDefiningOp<memref::AllocOp>();
  return one != other && first && second && share_words(first, second);
}

// Whether what operations share, and one of them writes, has the same rows in both.
bool agree(LinalgOp one, LinalgOp other) {
  for (mlir::OpOperand& a : one->getOpOperands()) {
    for (mlir::OpOperand& b : other->getOpOperands()) {
      if (!mlir::isa<mlir::MemRefType>(a.get().getType()) ||
          !mlir::isa<mlir::MemRefType>(b.get().getType()) ||
          (!one.isDpsInit(&a) && !other.isDpsInit(&b))) {
        continue;
      }
      const Value buffer = buffer_behind(a.get());
      if (share_a_place(buffer, buffer_behind(b.get()))) return false;
      if (buffer != buffer_behind(b.get())) continue;
      const mlir::AffineMap map = one.getMatchingIndexingMap(&a);
      if (a.get() != b.get() || map.getNumResults() == 0 || !map.isFunctionOfDim(0) ||
          other.getMatchingIndexingMap(&b).getResult(0) != map.getResult(0)) {
        return false;
      }
    }
  }
  return true;
}

// Whether the operation reads, of the buffers that it writes, only what it writes in the same
// range of its first loop.
bool cuts_rows(LinalgOp op) {
  if (op.getIteratorTypesArray()[0] != mlir::utils::IteratorType::parallel) return false;
  for (mlir::OpOperand& init : op.getDpsInitsMutable()) {
    if (!op.getMatchingIndexingMap(&init).isFunctionOfDim(0)) return false;
    for (mlir::OpOperand& other : op->getOpOperands()) {
      if (!mlir::isa<mlir::MemRefType>(other.get().getType()) || &other == &init) continue;
      const bool is_same = buffer_behind(other.get()) == buffer_behind(init.get());
      if (is_same && other.get() != init.get()) return false;
      if (is_same && op.getMatchingIndexingMap(&other) != op.getMatchingIndexingMap(&init)) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

std::int64_t rows_of(LinalgOp op) {
  const auto ranges = op.getStaticLoopRanges();
  return ranges.empty() ? 1 : ranges.front();
}

llvm::SmallVector<LinalgOp> together(LinalgOp op) {
  const std::int64_t rows = rows_of(op);
  LinalgOp first = op;
  for (LinalgOp next = op; next && rows_of(next) == rows; next = rows_before(next)) first = next;
  llvm::SmallVector<LinalgOp> result;
  for (LinalgOp next = first; next && rows_of(next) == rows; next = rows_after(next)) {
    result.push_back(next);
  }
  return result;
}

bool is_cut_by(LinalgOp op, unsigned loop) {
  const auto asks = [&](mlir::linalg::IndexOp index) { return index.getDim() == loop; };
  if (llvm::any_of(op.getBlock()->getOps<mlir::linalg::IndexOp>(), asks)) return false;
  const mlir::AffineExpr number = mlir::getAffineDimExpr(loop, op->getContext());
  return llvm::all_of(op.getIndexingMapsArray(), [&](mlir::AffineMap map) {
    return llvm::all_of(map.getResults(), [&](mlir::AffineExpr place) {
      return place == number || !place.isFunctionOfDim(loop);
    });
  });
}

bool are_cut_together(llvm::ArrayRef<LinalgOp> ops) {
  for (const auto [index, op] : llvm::enumerate(ops)) {
    const bool is_plain = !attribute::vector.is_on(op) && !attribute::beside.is_on(op);
    if (!is_plain || !cuts_rows(op) || !is_cut_by(op, 0)) return false;
    for (const LinalgOp other : ops.take_front(index)) {
      if (!agree(other, op)) return false;
    }
  }
  return true;
}

}  // namespace tandem::compiler
