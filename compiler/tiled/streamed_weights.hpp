// Weights that are better read from HBM a tile of columns at a time than brought to VMEM as a
// whole.
#pragma once

#include "isa/parameters.hpp"
#include "mlir/IR/Value.h"

namespace tandem::compiler {

// Whether all that uses the buffer is one contraction for the vector units, the last contraction of
// its function, which goes once through weights that lie by columns: it computes with one tile of
// them while the next one comes. As a whole they would be waited for, since nothing else is left to
// do. Weights of contractions before it come while others compute.
bool streams_to_vectors(mlir::Value buffer, const Parameters& machine);

}  // namespace tandem::compiler
