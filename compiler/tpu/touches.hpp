// Which buffer of the level `buffers` an instruction means, for the check of lifetimes at run time
// (isa/source/buffer_table.hpp). It travels as lines do, in the location: what passes do to
// instructions does not depend on it. Found by origins.hpp, not by those who make addresses.
#pragma once

#include "compiler/buffers/origins.hpp"
#include "isa/source/buffer_table.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {

struct Touch {
  BufferId reads = no_buffer;
  BufferId writes = no_buffer;
};

mlir::Location with_touch(mlir::Location loc, const Touch& touch);
// Nothing where the location does not say.
Touch touch_of(mlir::Location loc);

// Numbers of all buffers of a function: arguments, constants, allocations.
class BufferNumbers {
 public:
  // Notes what there is in the attribute `tandem.buffers`.
  explicit BufferNumbers(mlir::func::FuncOp function);

  // Of a view, too; none where it may be several.
  BufferId of(mlir::Value buffer);

 private:
  llvm::DenseMap<mlir::Operation*, BufferId> allocations_;
  llvm::DenseMap<mlir::Attribute, BufferId> constants_;  // by name
  Origins origins_;
};

// The buffers that the constructor has noted; none where it has not.
std::vector<PlannedBuffer> buffers_of(mlir::func::FuncOp function);

}  // namespace tandem::compiler
