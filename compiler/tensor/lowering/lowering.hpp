// From `stablehlo` to `tensor`: each operation becomes linalg on tensors, scf, tensor and arith.
//
// The translation walks a block in order, keeps a map from old values to new ones, and looks the
// operation up in one table of handlers. A handler returns the new results, or failure after an
// error at the operation.
#pragma once

#include "isa/parameters.hpp"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {

using Values = llvm::SmallVector<mlir::Value>;

class Lowering {
 public:
  Lowering(mlir::OpBuilder& builder, const Parameters& machine)
      : builder(builder), machine(machine) {}

  // Translates everything except the terminator; returns the terminator's operands.
  mlir::FailureOr<Values> lower_block(mlir::Block& block);
  Values mapped(mlir::ValueRange values) const;

  mlir::OpBuilder& builder;
  const Parameters& machine;  // sizes that decide between alternatives
  mlir::IRMapping map;
};

using Handler = mlir::FailureOr<Values> (*)(Lowering&, mlir::Operation*);
// The handler of an operation ("stablehlo.add"), or null.
Handler find_handler(llvm::StringRef name);

// Integers without sign: signedness lives in operations from here on.
mlir::Type plain_element(mlir::Type element);
mlir::RankedTensorType plain_tensor(mlir::Type type);

// ---- shared by handlers
mlir::Value empty_tensor(mlir::OpBuilder& builder, mlir::Location loc, mlir::RankedTensorType type);
// A tensor that holds one scalar everywhere.
mlir::Value filled_tensor(mlir::OpBuilder& builder, mlir::Location loc, mlir::RankedTensorType type,
                          mlir::Value scalar);
// The only element of a tensor of rank 0.
mlir::Value scalar_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value tensor);
mlir::Value index_constant(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t value);

using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder&, mlir::Location, mlir::ValueRange)>;
// A linalg.generic over the result's shape, one map per input; the body gets one element of each.
mlir::Value parallel_generic(mlir::OpBuilder& builder, mlir::Location loc,
                             mlir::RankedTensorType type, mlir::ValueRange inputs,
                             llvm::ArrayRef<mlir::AffineMap> maps, Body body);
// The same for inputs of the result's shape.
mlir::Value parallel_generic(mlir::OpBuilder& builder, mlir::Location loc,
                             mlir::RankedTensorType type, mlir::ValueRange inputs, Body body);

// ---- attributes, with errors at the operation
mlir::FailureOr<llvm::SmallVector<std::int64_t>> integers(mlir::Operation* op,
                                                          llvm::StringRef name);
mlir::FailureOr<std::int64_t> integer(mlir::Operation* op, llvm::StringRef name);
llvm::StringRef text(mlir::Operation* op, llvm::StringRef name);  // "" when absent

}  // namespace tandem::compiler
