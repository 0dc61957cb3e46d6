// Lifetimes of buffers, in the order of the text.
//
// A buffer lives from its allocation to the last operation that can reach it; one that is used
// inside a loop but made outside lives to the end of the loop.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

struct Life {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] bool meets(const Life& other) const {
    return other.first <= last && first <= other.last;
  }
};

class Lives {
 public:
  explicit Lives(mlir::func::FuncOp function);

  // For the result of an allocation; for an argument: the whole time.
  Life of(mlir::Value buffer) const;
  // When an operation first uses the value, or a view of it.
  std::int64_t first_use(mlir::Value value) const;

 private:
  void number(mlir::Region& region);
  std::int64_t last_use(mlir::Value value, mlir::Block* home) const;

  std::int64_t clock_ = 0;
  // Operations in the order of the text; one with regions ends after its contents.
  llvm::DenseMap<mlir::Operation*, std::int64_t> begin_;
  llvm::DenseMap<mlir::Operation*, std::int64_t> end_;
};

}  // namespace tandem::compiler
