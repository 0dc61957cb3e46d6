// StableHLO's own attributes, in their textual form.
#pragma once

#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// Adds an attribute to the list in normal form: #stablehlo<comparison_direction LT> as the string
// "LT", #stablehlo.dot<a = [1], b = [0]> as an array for each of its names, other attributes
// unchanged. An error at the operation for an unreadable one.
mlir::LogicalResult expand_opaque(mlir::Operation* op, mlir::NamedAttribute entry,
                                  mlir::NamedAttrList& result);

}  // namespace tandem::compiler
