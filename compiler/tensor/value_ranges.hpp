// Ranges of the elements of a tensor.
#pragma once

#include <limits>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// Every element is NaN, or between these. Rounding is covered only roughly: bounds show whether a
// value is far from the range that needs care.
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  // Finite elements are at most this far from zero.
  double finite = std::numeric_limits<double>::infinity();
};

// The range of an operation of arith or math on elements, given the ranges `x` of its operands.
ValueRange range_of_result(mlir::Operation* op, llvm::ArrayRef<ValueRange> x);
// The range of the sum, or the largest or smallest, of `count` elements and the former value.
ValueRange range_of_reduction(mlir::Operation* combiner, ValueRange element, ValueRange before,
                              double count);

// States that each element of `source` is at most the element of the bound at the same position
// without some dimensions: `places[d]` is the bound's dimension for dimension d, -1 where the bound
// is the same for all of it.
struct UpperBound {
  mlir::Value source;
  llvm::SmallVector<int> places;
};

}  // namespace tandem::compiler
