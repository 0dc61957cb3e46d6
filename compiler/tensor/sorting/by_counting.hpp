// Sorting by counting, for few elements.
#pragma once

#include "compiler/tensor/sorting/comparator.hpp"

namespace tandem::compiler {

Values sorted_by_counting(Lowering& lowering, mlir::Operation* sort, Comparator& comparator,
                          std::int64_t dimension);

}  // namespace tandem::compiler
