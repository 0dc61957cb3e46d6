// The buffer of the level `buffers` that an instruction accesses, for the check of lifetimes at run
// time (isa/source/buffer_table.hpp). Like lines it is in the location, so it does not affect what
// passes do to instructions. It is found by origins.hpp, not by the code that computes addresses.
#pragma once

#include "compiler/buffers/origins.hpp"
#include "isa/source/buffer_table.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

struct Touch {
  BufferId reads = no_buffer;
  BufferId writes = no_buffer;
};

// `given`: of the call of a kernel, the buffers of HBM that its copies may read and write.
mlir::Location with_touch(mlir::Location loc, const Touch& touch, llvm::ArrayRef<Touch> given = {});
// Nothing where the location does not have it.
Touch touch_of(mlir::Location loc);
llvm::SmallVector<Touch> given_of(mlir::Location loc);

// Numbers of all buffers of a function: arguments, constants, allocations.
class BufferNumbers {
 public:
  // Records the buffers in the attribute `tandem.buffers`.
  explicit BufferNumbers(mlir::func::FuncOp function);

  // For a view, too; none where it may be several.
  BufferId of(mlir::Value buffer);

 private:
  llvm::DenseMap<mlir::Operation*, BufferId> allocations_;
  llvm::DenseMap<mlir::Attribute, BufferId> constants_;  // by name
  Origins origins_;
};

// The buffers recorded by the constructor; none where it has not been called.
std::vector<PlannedBuffer> buffers_of(mlir::func::FuncOp function);

}  // namespace tandem::compiler
