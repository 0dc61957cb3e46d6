// Between which numbers the elements of a tensor lie.
#pragma once

#include <limits>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// Every element is no number, or between these. Rounding is allowed for only roughly: bounds serve
// to tell whether something is far from where it would need care.
struct ValueRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  // Those that are finite are at most so far from zero.
  double finite = std::numeric_limits<double>::infinity();
};

// What an operation of arith or math on elements makes of the ranges `x` of its operands.
ValueRange range_of_result(mlir::Operation* op, llvm::ArrayRef<ValueRange> x);
// Of the sum, or the largest or smallest, of `count` elements and what was there before.
ValueRange range_of_reduction(mlir::Operation* combiner, ValueRange element, ValueRange before,
                              double count);

// That each element of `source` is at most the element of the bound whose place is that of the
// element without some dimensions: `places[d]` is the bound's dimension for dimension d, -1 where
// the bound is the same for all of it.
struct UpperBound {
  mlir::Value source;
  llvm::SmallVector<int> places;
};

}  // namespace tandem::compiler
