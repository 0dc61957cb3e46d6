// Sorting by counting, for few elements.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"

namespace tandem::compiler {

mlir::FailureOr<Values> sorted_by_counting(Lowering& lowering, mlir::Operation* sort,
                                           std::int64_t dimension);

}  // namespace tandem::compiler
