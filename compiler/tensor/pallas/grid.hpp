// The loops of a kernel's grid, and the copies of its windows.
#pragma once

#include "compiler/tensor/pallas/translation.hpp"

namespace tandem::compiler::pallas {

class Grid {
 public:
  Grid(Translation& translation, Operation* call, const mosaic::Module& module)
      : translation_(translation), builder_(translation.builder), call_(call), module_(module) {}

  // The next inner loop; `size` is mosaic::dynamic_bound where it is not known.
  void add_loop(Value bound, std::int64_t size) { loops_.push_back({bound, size}); }
  // `far`: the array in HBM, `near`: the buffer in VMEM.
  void add_window(const mosaic::Window& window, Value far, Value near, bool comes, bool goes);

  mlir::LogicalResult run() { return nest(0); }

 private:
  struct Loop {
    Value bound;
    std::int64_t size;
  };
  struct Window {
    const mosaic::Window* said;
    Value far;
    Value near;
    bool comes;
    bool goes;
    std::size_t depth;  // loops that its position depends on: those around it
    bool steps;         // to a different position in each iteration of the innermost of these
  };

  mlir::LogicalResult nest(std::size_t depth);
  mlir::FailureOr<Values> place(const Window& window, mlir::ValueRange indices);
  mlir::FailureOr<Value> part(const Window& window, mlir::ValueRange indices);
  mlir::LogicalResult copy(const Window& window, bool comes);
  mlir::FailureOr<Value> is_due(const Window& window, bool comes);

  Translation& translation_;
  mlir::OpBuilder& builder_;
  Operation* call_;
  const mosaic::Module& module_;
  llvm::SmallVector<Loop> loops_;
  llvm::SmallVector<Window> windows_;
  Values indices_;  // of the loops around the builder
};

}  // namespace tandem::compiler::pallas
