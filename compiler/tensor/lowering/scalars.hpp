// What an elementwise StableHLO operation does to one element.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {

class Lowering;

// Whether the operation acts on each element by itself.
bool is_elementwise(llvm::StringRef name);

// One element's result from one element of each operand, in arith and math. Types are without
// sign; the operation's own types say what is unsigned. Failure after an error at the operation.
mlir::FailureOr<mlir::Value> scalar_operation(mlir::OpBuilder& builder, mlir::Operation* op,
                                              mlir::ValueRange operands);

// What a region takes from outside, as scalars. Made before the operation that the region becomes
// the body of.
mlir::FailureOr<mlir::IRMapping> outer_scalars(Lowering& lowering, mlir::Region& region);

// The region of a reduction, scatter or the like, on elements: its results. Everything in it must
// be elementwise.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> scalar_region(mlir::OpBuilder& builder,
                                                              mlir::Region& region,
                                                              mlir::ValueRange arguments,
                                                              const mlir::IRMapping& outer);

}  // namespace tandem::compiler
