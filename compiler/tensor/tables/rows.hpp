// Which place of a table an element of a tensor has.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/tables/table.hpp"

namespace tandem::compiler {

struct TableShape {
  std::int64_t batches = 1;  // of the table
  std::int64_t rows = 1;     // of a batch that hold elements
  std::int64_t columns = 1;  // that one row of the tensor is dealt to
  std::int64_t width = 1;    // rows of the tensor side by side
  // The columns of each row of the tensor are beside each other, and elements that follow each
  // other are, too: whoever sorts them does not mind where they begin. Otherwise a column has
  // elements that follow each other, and the same columns of all rows are beside each other.
  bool across = false;

  [[nodiscard]] std::int64_t elements() const { return rows * columns; }
  // The number of a column among those of its row of the tensor; words.
  mlir::Value number_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value column) const;
  // A power of two; of fewer than eight elements just these.
  [[nodiscard]] std::int64_t table_rows() const;
  // Of one batch of `width` rows of so many elements, for a prefix.
  static TableShape of(std::int64_t elements, std::int64_t width);
};

// A tensor's rows along one dimension, [outer, elements, inner].
class TableRows {
 public:
  // How so many elements of `width` rows are dealt to columns.
  using Dealt = llvm::function_ref<TableShape(std::int64_t elements, std::int64_t width)>;

  TableRows(llvm::ArrayRef<std::int64_t> shape, unsigned dimension, Dealt dealt);

  [[nodiscard]] const TableShape& shape() const { return shape_; }
  // The tensor as a buffer [batches, rows, columns * width], to be read at once: what is made of
  // tensors behind this may take its memory. A place that is no element's has the scalar.
  mlir::Value arranged(Lowering& lowering, mlir::Location loc, mlir::Value tensor,
                       mlir::Value beyond) const;
  // Whether the elements are turned, each dimension by itself: rows become columns of a buffer that
  // may have others beside them.
  [[nodiscard]] bool is_plain_turn() const { return shape_.columns == 1 && inner_ == 1; }
  // A tensor of which the first `wanted` elements of each row are those of the buffer that the
  // table has been read to, with one column for each row or all of them; nothing has written the
  // others.
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
// A tensor whose first places along the dimension are the value's, as many as it has elements for;
// nothing writes the others.
mlir::Value in_first_places(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value value,
                            mlir::RankedTensorType type, unsigned dimension);
}  // namespace tandem::compiler
