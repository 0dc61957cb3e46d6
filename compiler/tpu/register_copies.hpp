// Small copies within VMEM by way of registers.
#pragma once

#include "compiler/tpu/memory.hpp"
#include "compiler/views/access.hpp"

namespace tandem::compiler {

// Loads, permutations of lanes and stores that do what a copy of this shape does, where they take
// less time than the copy engine does. False, and nothing has been made, where they would not, or
// where lanes change in a way that only the running program knows.
bool copy_in_registers(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine,
                       const Place& source, const Place& target, llvm::ArrayRef<std::int64_t> shape,
                       const Sizes& source_strides, const Sizes& target_strides);

// The word of VMEM in every lane of sublane 0, and as a scalar.
mlir::Value load_word(mlir::OpBuilder& builder, mlir::Location loc, const Place& place);
mlir::Value load_scalar(mlir::OpBuilder& builder, mlir::Location loc, const Place& place);

}  // namespace tandem::compiler
