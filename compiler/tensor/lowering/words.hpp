// Tensors of words of 32 bits: the bits of elements, and lookups among them.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace tandem::compiler {

// The bits of elements of fewer than 32 as words; others as they are.
mlir::Value as_words(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value tensor);
// Words, with elements in their lowest bits, as such elements; unchanged where the types are equal.
mlir::Value as_elements(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value words,
                        mlir::Type element);

// An integer of at most 32 bits, extended to a word.
mlir::Value extended(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value integer,
                     bool is_unsigned);

// The maps of `elements_at` for its input, the places and its result, and the loop whose index is
// compared with the places.
struct PlaceLoops {
  llvm::SmallVector<mlir::AffineMap> maps;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  std::int64_t number = 0;
};

// The elements of the input at their places, in `shape`. The sum over all positions, with a single
// nonzero element per result, has its bits, and is computed along the lanes.
mlir::Value elements_at(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value input,
                        mlir::Value places, llvm::ArrayRef<std::int64_t> shape,
                        const PlaceLoops& loops);

}  // namespace tandem::compiler
