// Gathers and scatters of one word in each row of a tensor: take_along_axis, the label's logit of a
// loss, and their gradients.
#pragma once

#include <optional>

#include "compiler/tensor/lowering/windows.hpp"

namespace tandem::compiler {

// A tensor's rows along one dimension, and one place in each.
class WordsOfRows {
 public:
  // Of windows that are single elements: each index vector belongs to a row of its own. None where
  // there are others, or where rows are so long that it is better to fetch words one by one.
  static std::optional<WordsOfRows> of(Lowering& lowering, const Windows& windows,
                                       mlir::Value operand, mlir::Value indices);

  // Every place of a row is compared with its index, and what is there is taken where it is the
  // one: an index outside is the nearest one inside.
  [[nodiscard]] mlir::Value gathered(mlir::Location loc, mlir::Value operand, mlir::Value indices,
                                     mlir::RankedTensorType type, bool unsigned_indices) const;
  // `combine` has an element of each operand and of each update, in `operands` and `updates`, and
  // returns what becomes of the operand `number`. Nothing becomes of an index outside.
  [[nodiscard]] mlir::Value scattered(mlir::Location loc, mlir::ValueRange operands,
                                      mlir::Value indices, mlir::ValueRange updates,
                                      std::size_t number, bool unsigned_indices,
                                      Body combine) const;

 private:
  explicit WordsOfRows(mlir::OpBuilder& builder) : builder_(builder) {}

  [[nodiscard]] mlir::AffineMap of_element() const;
  [[nodiscard]] mlir::AffineMap of_row() const;
  [[nodiscard]] mlir::Value with_rows(mlir::Location loc, mlir::Value tensor) const;
  [[nodiscard]] mlir::Value one_each(mlir::Location loc, mlir::Value tensor) const;
  [[nodiscard]] mlir::Value place(mlir::OpBuilder& builder, mlir::Location loc) const;

  mlir::OpBuilder& builder_;
  llvm::SmallVector<std::int64_t> shape_;  // of the operand, without dimensions of nothing
  llvm::SmallVector<std::int64_t> rows_;   // the same without the one of the rows
  unsigned along_ = 0;                     // which that is
};

}  // namespace tandem::compiler
