// StableHLO's own attributes, as its text writes them.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// Adds an attribute to the list in normal form: #stablehlo<comparison_direction LT> as the string
// "LT", #stablehlo.dot<a = [1], b = [0]> as an array for each of its names, other attributes as
// they are. An error at the operation for what cannot be read.
mlir::LogicalResult expand_opaque(mlir::Operation* op, mlir::NamedAttribute entry,
                                  mlir::NamedAttrList& result);

}  // namespace tandem::compiler
