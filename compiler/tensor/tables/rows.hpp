// The position of a tensor's elements in a table.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/tables/table.hpp"

namespace tandem::compiler {

struct TableShape {
  std::int64_t batches = 1;  // of the table
  std::int64_t rows = 1;     // of a batch that hold elements
  std::int64_t columns = 1;  // to which one row of the tensor is distributed
  std::int64_t width = 1;    // rows of the tensor next to each other
  // The columns of each row of the tensor are adjacent, and so are consecutive elements: the
  // initial order does not matter to sorts. Otherwise a column has consecutive elements, and the
  // same columns of all rows are adjacent.
  bool across = false;

  [[nodiscard]] std::int64_t elements() const { return rows * columns; }
  // The number of a column among those of its row of the tensor; words.
  mlir::Value number_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value column) const;
  // A power of two; for fewer than eight elements exactly their number.
  [[nodiscard]] std::int64_t table_rows() const;
  // For one batch of `width` rows of this many elements, for a prefix.
  static TableShape of(std::int64_t elements, std::int64_t width);
};

// A tensor's rows along one dimension, [outer, elements, inner].
class TableRows {
 public:
  // The distribution of this many elements of `width` rows to columns.
  using Dealt = llvm::function_ref<TableShape(std::int64_t elements, std::int64_t width)>;

  TableRows(llvm::ArrayRef<std::int64_t> shape, unsigned dimension, Dealt dealt);

  [[nodiscard]] const TableShape& shape() const { return shape_; }
  // The tensor as a buffer [batches, rows, columns * width], to be read immediately: tensors
  // computed later may take its memory. Padding has the scalar.
  mlir::Value arranged(Lowering& lowering, mlir::Location loc, mlir::Value tensor,
                       mlir::Value beyond) const;
  // Whether the elements are transposed, each dimension by itself: rows become columns of a buffer
  // that may have other columns, too.
  [[nodiscard]] bool is_plain_turn() const { return shape_.columns == 1 && inner_ == 1; }
  // A tensor of which the first `wanted` elements of each row are those of the buffer that the
  // table has been read to, with one column for each row or all of them; the others are not
  // written.
  mlir::Value from_buffer(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value buffer,
                          mlir::RankedTensorType type, std::int64_t wanted) const;

 private:
  [[nodiscard]] mlir::Value as_tensor(mlir::OpBuilder& builder, mlir::Location loc,
                                      mlir::Value tensor, mlir::Value beyond) const;
  [[nodiscard]] mlir::Value turned_buffer(Lowering& lowering, mlir::Location loc,
                                          mlir::Value tensor) const;

  std::int64_t outer_ = 1;
  std::int64_t elements_ = 1;
  std::int64_t inner_ = 1;
  unsigned dimension_ = 0;
  TableShape shape_;
};

// A tensor of another shape with the same elements in the same order.
mlir::Value with_shape(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                       llvm::ArrayRef<std::int64_t> shape);
// A tensor whose first elements along the dimension are the value's; the others are not written.
mlir::Value in_first_places(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                            mlir::RankedTensorType type, unsigned dimension);
}  // namespace tandem::compiler
