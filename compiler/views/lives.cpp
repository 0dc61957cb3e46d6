#include "compiler/views/lives.hpp"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace tandem::compiler {

Lives::Lives(mlir::func::FuncOp function) { number(function.getBody()); }

void Lives::number(mlir::Region& region) {
  for (mlir::Block& block : region) {
    for (mlir::Operation& op : block) {
      begin_[&op] = ++clock_;
      for (mlir::Region& nested : op.getRegions()) number(nested);
      end_[&op] = ++clock_;
    }
  }
}

// The latest end of an operation that accesses the value, directly or through views.
std::int64_t Lives::last_use(mlir::Value value, mlir::Block* home) const {
  std::int64_t last = 0;
  for (mlir::Operation* user : value.getUsers()) {
    last = std::max(last, end_.lookup(home->findAncestorOpInBlock(*user)));
    const bool views = mlir::isa<mlir::ViewLikeOpInterface, mlir::UnrealizedConversionCastOp,
                                 mlir::memref::ExtractStridedMetadataOp>(user);
    for (const mlir::Value result : user->getResults()) {
      if (views && mlir::isa<mlir::MemRefType>(result.getType())) {
        last = std::max(last, last_use(result, home));
      }
    }
  }
  return last;
}

std::int64_t Lives::first_use(mlir::Value value) const {
  std::int64_t first = clock_ + 1;
  for (mlir::Operation* user : value.getUsers()) first = std::min(first, begin_.lookup(user));
  return first;
}

Life Lives::of(mlir::Value buffer) const {
  mlir::Operation* op = buffer.getDefiningOp();
  if (op == nullptr) return {0, clock_ + 1};
  return {begin_.lookup(op), std::max(end_.lookup(op), last_use(buffer, op->getBlock()))};
}

}  // namespace tandem::compiler
