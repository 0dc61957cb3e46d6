// The handlers of the operations that are not elementwise, by the table in handlers.def.
#pragma once

#include <optional>

#include "compiler/tensor/lowering/lowering.hpp"

namespace tandem::compiler {

#define HANDLER(OPERATION, HANDLER_NAME) \
  mlir::FailureOr<Values> lower_##HANDLER_NAME(Lowering& lowering, mlir::Operation* op);
#include "compiler/tensor/lowering/handlers.def"
#undef HANDLER

mlir::FailureOr<Values> lower_elementwise(Lowering& lowering, mlir::Operation* op);
// Windows that reach from each element to the beginning or the end (tables/prefix.cpp): cumulative
// sums and the like. Nothing for other windows.
std::optional<mlir::FailureOr<Values>> lower_prefix(Lowering& lowering, mlir::Operation* op);
// Words into the program's log.
mlir::FailureOr<Values> lower_log_write(Lowering& lowering, mlir::Operation* op);
// The end of the run, after everything that is written to the log.
mlir::FailureOr<Values> lower_log_stop(Lowering& lowering, mlir::Operation* op);
// An exchange of rows between devices (stablehlo/collectives/).
mlir::FailureOr<Values> lower_exchange(Lowering& lowering, mlir::Operation* op);
mlir::FailureOr<Values> lower_ring(Lowering& lowering, mlir::Operation* op);
mlir::FailureOr<Values> lower_step(Lowering& lowering, mlir::Operation* op);
mlir::FailureOr<Values> lower_window(Lowering& lowering, mlir::Operation* op);
mlir::FailureOr<Values> lower_put(Lowering& lowering, mlir::Operation* op);
mlir::FailureOr<Values> lower_landing(Lowering& lowering, mlir::Operation* op);
// The number of the device that executes the program.
mlir::FailureOr<Values> lower_chip(Lowering& lowering, mlir::Operation* op);
// A call of a function in assembly that has been linked (tandem.call).
mlir::FailureOr<Values> lower_function_call(Lowering& lowering, mlir::Operation* op);
// A call of a Pallas kernel (tensor/pallas/).
mlir::FailureOr<Values> lower_pallas_call(Lowering& lowering, mlir::Operation* op);

// Sums of products in fp32 or words, for the matrix unit: loops of the result first, one map each
// for left, right and result. The result has the element type of the sums. Inputs are the
// operation's first operands, in any shape; `swapped`: the second one first. Precision as in
// precision.hpp.
mlir::Value contraction(Lowering& lowering, mlir::Operation* op, const Values& inputs,
                        llvm::ArrayRef<mlir::AffineMap> maps, llvm::ArrayRef<std::int64_t> shape,
                        llvm::StringRef precision, bool swapped = false);
// An element in the type of the sums.
mlir::Value widened(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value, mlir::Type to,
                    bool is_unsigned = false);
// The same elements in a narrower type; for truth values whether the sum is nonzero.
mlir::Value narrowed(Lowering& lowering, mlir::Location loc, mlir::Value wide,
                     mlir::RankedTensorType type);

// Pads with a scalar; negative edges cut off. Shared by pad and the windows.
mlir::Value padded(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value source,
                   mlir::Value scalar, llvm::ArrayRef<std::int64_t> low,
                   llvm::ArrayRef<std::int64_t> high, llvm::ArrayRef<std::int64_t> interior);

}  // namespace tandem::compiler
