// Weights that are better read from HBM a tile of columns at a time than copied to VMEM as a whole.
#pragma once

#include "isa/parameters.hpp"
#include "mlir/IR/Value.h"

namespace tandem::compiler {

// Whether the only user of the buffer is one contraction for the vector units, the last contraction
// of its function, which goes once through weights stored by columns: it computes with one tile of
// them while the next one arrives. As a whole they would be waited for, since there is no other
// work left. Weights of earlier contractions arrive while others compute.
bool streams_to_vectors(mlir::Value buffer, const Parameters& machine);

}  // namespace tandem::compiler
