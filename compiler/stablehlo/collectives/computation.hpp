// The computation of a reduction, which is written for single elements, on whole tensors.
#pragma once

#include "compiler/stablehlo/maker.hpp"
#include "mlir/IR/Region.h"

namespace tandem::compiler {

// The computation of the collective `op`, element by element; null after an error at an operation
// that is not elementwise.
mlir::Value apply_computation(Maker& make, mlir::Operation* op, mlir::Value a, mlir::Value b);

}  // namespace tandem::compiler
