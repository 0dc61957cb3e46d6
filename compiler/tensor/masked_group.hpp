// The operations that a mask rules: from what makes scores to the last that reads what became of
// them.
#pragma once

#include "compiler/tensor/masked_tail.hpp"

namespace tandem::compiler {

struct MaskedGroup {
  MaskEnd mask;
  std::int64_t positions = 0;                        // along the dimension
  llvm::SmallVector<mlir::Operation*> operations;    // in the order of the program
  llvm::DenseMap<mlir::Operation*, unsigned> loops;  // over the positions, of those that have it
  llvm::SmallVector<mlir::Value> results;            // read outside; none is along the dimension
  std::int64_t steps = 0;                            // of all loops together

  // The dimension of the positions; none where the operand has no such.
  [[nodiscard]] std::optional<unsigned> dimension_of(mlir::linalg::GenericOp op,
                                                     mlir::OpOperand& operand) const;
};

// Whether the operation puts minus infinity where some mask is off from an index on.
bool may_mask(mlir::linalg::GenericOp op);

// All that may be done for the first positions only, if it is all that reads them.
std::optional<MaskedGroup> masked_group(mlir::linalg::GenericOp op);

}  // namespace tandem::compiler
