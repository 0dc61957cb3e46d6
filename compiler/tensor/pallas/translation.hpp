// A Pallas kernel's body, operation by operation, from the context it was read in to ours.
//
//   a vector                 a tensor, whose elements are computed where they are used
//   a real scalar            a tensor of rank 0, as the scalar unit has no reals
//   an integer, an index     a scalar
//   a reference              a buffer: a window or scratch that stays in VMEM, or an operand in HBM
#pragma once

#include "compiler/mosaic/accesses.hpp"
#include "compiler/mosaic/module.hpp"
#include "compiler/tensor/lowering/lowering.hpp"

namespace tandem::compiler::pallas {

using mlir::Operation;
using mlir::Value;

class Translation {
 public:
  // `call`: where the kernel is called. Without accesses it only tells of errors.
  Translation(mlir::OpBuilder& builder, Operation* call, const mosaic::Accesses* accesses)
      : builder(builder), accesses(accesses), call_(call) {}

  // Everything except the terminator; returns the terminator's operands. Failure after an error.
  mlir::FailureOr<Values> block(mlir::Block& body);

  [[nodiscard]] Value get(Value foreign) const { return map_.lookup(foreign); }
  [[nodiscard]] Values get(mlir::ValueRange foreign) const;
  void set(Value foreign, Value ours) { map_[foreign] = ours; }

  // The operation's line in Python.
  mlir::Location location(Operation* foreign);
  // An error at the operation's line.
  mlir::InFlightDiagnostic error(Operation* foreign);
  // Null after an error: the machine does not have the element type.
  mlir::Type element(Operation* foreign, mlir::Type type);
  // For a vector, or for a real scalar; null after an error.
  mlir::RankedTensorType tensor(Operation* foreign, mlir::Type type);
  // A number, in the corresponding type.
  mlir::OpFoldResult index(Value foreign);
  // A tensor of rank 0 or more from a scalar.
  Value as_tensor(mlir::Location loc, Value ours);

  mlir::OpBuilder& builder;
  const mosaic::Accesses* accesses;
  Values bounds;  // of the grid, as words

 private:
  mlir::Location translate(mlir::Location foreign);

  Operation* call_;
  llvm::DenseMap<Value, Value> map_;
};

// The results, or failure after an error.
using Rule = mlir::FailureOr<Values> (*)(Translation&, Operation*);
#define PALLAS(OPERATION, RULE) \
  mlir::FailureOr<Values> RULE(Translation& translation, Operation* op);
#include "compiler/tensor/pallas/operations.def"
#undef PALLAS
mlir::FailureOr<Values> elementwise(Translation& translation, Operation* op);

// A buffer that must be in VMEM.
Value window_buffer(mlir::OpBuilder& builder, mlir::Location loc, mlir::MemRefType type);
// A part of a buffer without its dimensions of size one where `shape` lacks them. Steps of one
// where there are none.
Value part_of(Translation& translation, mlir::Location loc, Value buffer,
              llvm::ArrayRef<mlir::OpFoldResult> begin, llvm::ArrayRef<std::int64_t> sizes,
              llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::int64_t> steps = {});

}  // namespace tandem::compiler::pallas
