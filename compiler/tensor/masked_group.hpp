// The operations governed by a mask: from the scores to the last reader of the values derived from
// them.
#pragma once

#include "compiler/tensor/masked_tail.hpp"

namespace tandem::compiler {

struct MaskedGroup {
  MaskEnd mask;
  std::int64_t positions = 0;                        // along the dimension
  llvm::SmallVector<mlir::Operation*> operations;    // in the order of the program
  llvm::DenseMap<mlir::Operation*, unsigned> loops;  // over the positions, for operations that have
                                                     // it
  llvm::SmallVector<mlir::Value> results;            // read outside; none has the dimension
  std::int64_t steps = 0;                            // of all loops together

  // The dimension of the positions; none where the operand has no such.
  [[nodiscard]] std::optional<unsigned> dimension_of(mlir::linalg::GenericOp op,
                                                     mlir::OpOperand& operand) const;
};

// Whether the operation puts minus infinity where some mask is off from an index on.
bool may_mask(mlir::linalg::GenericOp op);

// All operations that need only the first positions, if they are the only readers.
std::optional<MaskedGroup> masked_group(mlir::linalg::GenericOp op);

}  // namespace tandem::compiler
