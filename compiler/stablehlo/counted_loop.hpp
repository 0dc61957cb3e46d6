// Loops of StableHLO (`while`) whose iterations are known.
#pragma once

#include <cstdint>
#include <optional>

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// A loop that goes on while its counter is less than `end`. The counter begins at a number and
// grows by one, both known.
struct CountedLoop {
  unsigned number = 0;  // of the counter among the carried values
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t step = 1;  // > 0
};

std::optional<CountedLoop> counted_loop(mlir::Operation* loop);

}  // namespace tandem::compiler
