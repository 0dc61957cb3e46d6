// The arithmetic of an operation, before it is tiled.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

struct Work {
  std::int64_t flops = 0;
  std::int64_t transcendentals = 0;
};

// Of the operation and everything inside it. A loop counts its iterations where they are known, and
// once where they are not; all branches count.
Work work_of(mlir::Operation& op);

}  // namespace tandem::compiler
