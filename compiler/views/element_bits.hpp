// Bits of elements in words of 32 bits.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace tandem::compiler {

// The bits of an element of at most 32 as the lowest of a word, and such a word as an element: its
// other bits are ignored.
mlir::Value word_of_element(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value element);
mlir::Value element_of_word(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value word,
                            mlir::Type element);

}  // namespace tandem::compiler
