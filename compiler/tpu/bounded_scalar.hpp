// Scalars from VMEM of which only a range matters: indices that are clamped or compared with
// bounds.
#pragma once

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

struct ScalarRange {
  std::int64_t low = 0;
  std::int64_t high = 0;  // included
};

// The range needed of a loaded integer: a number outside it may be replaced by the nearest one in
// it. None where the program needs more.
std::optional<ScalarRange> range_asked(mlir::memref::LoadOp load);

// A clamp to this range or a larger one is dropped.
void drop_clamps(mlir::memref::LoadOp load, const ScalarRange& range);

// Whether `load_in_range` supports the range.
bool is_short_range(const ScalarRange& range, std::int64_t lanes);
// The word as a scalar, or the end of the range that is nearest to it.
mlir::Value load_in_range(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes,
                          const Place& place, const ScalarRange& range);

}  // namespace tandem::compiler
