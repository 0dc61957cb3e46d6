// The products of parts that make up a contraction.
//
// fp32 enters the matrix unit rounded to bf16. HIGH and HIGHEST split each operand into parts of
// bf16 that add up to it, and multiply those pairs of parts whose products matter. A bf16 operand
// has only one part, and so have bytes.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

// A part of the right operand, and the number of parts of the left that it is multiplied with. Part
// 0 is the operand rounded, each further one the remainder after those before.
struct Pass {
  int right = 0;
  int left_parts = 1;
};

// Whether one part has all bits of the operand (0 is the left one): f16 has three more than bf16.
bool is_exact(mlir::Operation* contraction, unsigned operand);
// Whether the vector units round an operand to bf16, as the matrix unit does.
bool rounds_operands(mlir::Operation* contraction);

// For an operation with `tandem.precision`, the product of both parts 0 first.
llvm::SmallVector<Pass> passes_of(mlir::Operation* contraction);

// The total number of products.
std::int64_t products_of(mlir::Operation* contraction);

}  // namespace tandem::compiler
