// The buffers of HBM that a call of a kernel has been given, for the check of lifetimes at run
// time: what its copies may read and write. They are in the location of the call, after its own
// buffer (touches.hpp).
#pragma once

#include "compiler/tpu/touches.hpp"

namespace tandem::compiler {

mlir::Location with_given(mlir::Location loc, const Touch& own, llvm::ArrayRef<Touch> given);
// Nothing where the location does not have it.
llvm::SmallVector<Touch> given_of(mlir::Location loc);

}  // namespace tandem::compiler
