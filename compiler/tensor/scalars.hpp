// What an elementwise StableHLO operation does to one element.
#pragma once

#include "mlir/IR/Builders.h"

namespace tandem::compiler {

// Whether the operation acts on each element by itself.
bool is_elementwise(llvm::StringRef name);

// One element's result from one element of each operand, in arith and math. Types are without
// sign; the operation's own types say what is unsigned. Failure after an error at the operation.
mlir::FailureOr<mlir::Value> scalar_operation(mlir::OpBuilder& builder, mlir::Operation* op,
                                              mlir::ValueRange operands);

// The region of a reduction, scatter or the like, on elements: its results.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> scalar_region(mlir::OpBuilder& builder,
                                                              mlir::Region& region,
                                                              mlir::ValueRange arguments);

}  // namespace tandem::compiler
