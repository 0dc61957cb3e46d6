// Rows of small elements as the launch has them: several to a word, each row from a whole word on.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// Elements in a word.
std::int64_t parts_of(mlir::Type element);
// Words of a row of this many elements.
std::int64_t words_of_row(std::int64_t columns, mlir::Type element);
// Whether the operations below support such elements: bf16 and integers; f16 is converted on the
// way. And whether they are faster for rows of this many.
bool repacks(mlir::Type element);
bool repacks_rows(mlir::Type element, std::int64_t columns);

// Operations on whole rows at a time, on tensors or on buffers, dense along the last dimension
// (tiled/repack.cpp): elements of `words`, one word each, into `room`; and words of `elements`,
// whose rows fill their words, into `room`.
mlir::linalg::GenericOp unpack_rows(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value words,
                                    mlir::Value room);
mlir::linalg::GenericOp pack_rows(mlir::OpBuilder& builder, mlir::Location loc,
                                  mlir::Value elements, mlir::Value room);
// And rows of words into `room` from their even and their odd elements, which are half as long.
mlir::linalg::GenericOp weave_rows(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value even,
                                   mlir::Value odd, mlir::Value room);

}  // namespace tandem::compiler
