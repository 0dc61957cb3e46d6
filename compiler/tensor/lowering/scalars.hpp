// The effect of an elementwise StableHLO operation on one element.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {

class Lowering;

// Whether the operation acts on each element by itself.
bool is_elementwise(llvm::StringRef name);

// One element's result from one element of each operand, in arith and math. Types are without sign;
// the operation's own types determine what is unsigned. Failure after an error at the operation.
mlir::FailureOr<mlir::Value> scalar_operation(mlir::OpBuilder& builder, mlir::Operation* op,
                                              mlir::ValueRange operands);

// The values that a region captures, as scalars. Created before the operation whose body the region
// becomes.
mlir::FailureOr<mlir::IRMapping> outer_scalars(Lowering& lowering, mlir::Region& region);

// The region of a reduction, scatter or the like, on elements: its results. Everything in it must
// be elementwise.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> scalar_region(mlir::OpBuilder& builder,
                                                              mlir::Region& region,
                                                              mlir::ValueRange arguments,
                                                              const mlir::IRMapping& outer);

}  // namespace tandem::compiler
