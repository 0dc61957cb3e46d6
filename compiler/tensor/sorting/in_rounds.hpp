// The first few elements of long rows, one in each round.
#pragma once

#include "compiler/tensor/sorting/comparator.hpp"

namespace tandem::compiler {

// The results of a sort along the last dimension of which only the first `wanted` elements of each
// row are read. Nothing where rounds cannot give a result, or a network is faster.
std::optional<Values> first_in_rounds(Lowering& lowering, mlir::Operation* sort,
                                      Comparator& comparator, std::int64_t dimension,
                                      std::int64_t wanted);

}  // namespace tandem::compiler
