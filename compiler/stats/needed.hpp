// Which operations of StableHLO the results of a function need.
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

class Needed {
 public:
  explicit Needed(mlir::func::FuncOp function);
  [[nodiscard]] bool contains(mlir::Operation* op) const { return operations_.contains(op); }

 private:
  void add(mlir::Value value);
  void add_operands(mlir::Operation* op);
  void add_result(mlir::OpResult result);
  void add_carried(mlir::Operation* loop, unsigned number);

  llvm::DenseSet<mlir::Value> values_;
  llvm::DenseSet<mlir::Operation*> operations_;
  llvm::SmallVector<mlir::Value> open_;
};

}  // namespace tandem::compiler
