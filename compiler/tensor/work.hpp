// How much arithmetic an operation asks for, before it is tiled.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

struct Work {
  std::int64_t flops = 0;
  std::int64_t transcendentals = 0;
};

// Of the operation and all within it. A loop counts its trips where they are known, and once where
// they are not; of branches all count.
Work work_of(mlir::Operation& op);

}  // namespace tandem::compiler
