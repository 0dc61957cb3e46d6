// Small copies within VMEM through registers.
#pragma once

#include "compiler/tpu/memory.hpp"
#include "compiler/views/access.hpp"

namespace tandem::compiler {

// Loads, permutations of lanes and stores that execute a copy of this shape, where they are faster
// than the copy engine. Returns false, with nothing emitted, where they are not, or where the lane
// mapping is known only at run time.
bool copy_in_registers(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine,
                       const Place& source, const Place& target, llvm::ArrayRef<std::int64_t> shape,
                       const Sizes& source_strides, const Sizes& target_strides);

// The word of VMEM in every lane of sublane 0, and as a scalar.
mlir::Value load_word(mlir::OpBuilder& builder, mlir::Location loc, const Place& place);
mlir::Value load_scalar(mlir::OpBuilder& builder, mlir::Location loc, const Place& place);

}  // namespace tandem::compiler
