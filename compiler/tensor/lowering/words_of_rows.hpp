// Gathers and scatters of one word in each row of a tensor: take_along_axis, the label's logit of a
// loss, and their gradients.
#pragma once

#include <optional>

#include "compiler/tensor/lowering/windows.hpp"

namespace tandem::compiler {

// A tensor's rows along one dimension, and one position in each.
class WordsOfRows {
 public:
  // For windows that are single elements: each index vector belongs to a row of its own. None for
  // other windows, or where rows are so long that it is better to fetch words one by one.
  static std::optional<WordsOfRows> of(Lowering& lowering, const Windows& windows,
                                       mlir::Value operand, mlir::Value indices);

  // Every position of a row is compared with its index, and the element at an equal one is taken:
  // an index outside counts as the nearest one inside.
  [[nodiscard]] mlir::Value gathered(mlir::Location loc, mlir::Value operand, mlir::Value indices,
                                     mlir::RankedTensorType type, bool unsigned_indices) const;
  // `combine` has an element of each operand and of each update, in `operands` and `updates`, and
  // returns the new element of operand `number`. An index outside changes nothing.
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
  llvm::SmallVector<std::int64_t> shape_;  // of the operand, without dimensions of one element
  llvm::SmallVector<std::int64_t> rows_;   // the same without the one of the rows
  unsigned along_ = 0;                     // the dimension of the rows
};

}  // namespace tandem::compiler
