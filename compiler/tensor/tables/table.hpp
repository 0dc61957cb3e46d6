// Tables: elements along a dimension are rows, with the other dimensions as columns. Sorts and
// prefixes combine rows with rows, eight at a time.
//
// Eight consecutive elements are a group, and between groups there is an unused row: so both the
// eight rows of a group and the same row of eight groups are in eight banks of VMEM, and whichever
// of them an operation keeps separate, vectors are loaded along the other. A table of each field
// (of a sort: a key, an index, what goes with them) is a buffer:
//
//   [batches, groups, 8 (+ 1), columns]      up to eight elements are a group by themselves
//
// They are buffers, not tensors: an operation writes all of its results where its operands were,
// which bufferization would not accept.
#pragma once

#include "compiler/tensor/lowering/lowering.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

// For a generic on buffers: values of all inputs and, where it reads them, outputs.
using TableBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder&, mlir::Location, mlir::ValueRange)>;

class Table {
 public:
  Table(Lowering& lowering, mlir::Location loc, llvm::ArrayRef<mlir::Type> fields,
        std::int64_t batches, std::int64_t rows, std::int64_t columns);

  [[nodiscard]] std::int64_t batches() const { return batches_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }  // a power of two, or fewer than eight
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] llvm::ArrayRef<mlir::Type> fields() const { return fields_; }

  // So many of the fields from the `first` on, in the same buffers.
  [[nodiscard]] Table with_fields(std::size_t first, std::size_t count) const;
  // Rows of `from` on in each batch, whole groups or a part of one: [batches, groups, rows of a
  // group, columns].
  [[nodiscard]] mlir::Value view(std::size_t field, std::int64_t from, std::int64_t count) const;
  // Blocks have `of` parts of `groups` groups each; the parts at `position` in `blocks` blocks from
  // the `first` on: [batches, blocks, groups, 8, columns].
  struct Part {
    std::int64_t first = 0;  // block
    std::int64_t blocks = 1;
    std::int64_t position = 0;
    std::int64_t of = 1;      // parts in a block
    std::int64_t groups = 1;  // in a part
  };
  [[nodiscard]] mlir::Value part(std::size_t field, const Part& part) const;
  // [batches, groups, columns]: one element of all groups from `first` on.
  [[nodiscard]] mlir::Value element(std::size_t field, std::int64_t first, std::int64_t groups,
                                    std::int64_t position) const;
  // Fills the first rows with the body's values for `sources`, [batches, count, columns] each, and
  // the numbers of row and column.
  using Fill = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder&, mlir::Location, mlir::Value row, mlir::Value column, mlir::ValueRange)>;
  void fill(mlir::ValueRange sources, std::int64_t count, Fill body);
  // Rows from here on to the end of the table: scalars, one per field.
  void fill_rest(std::int64_t from, mlir::ValueRange scalars);
  // The first rows of each batch as buffers [batches, rows, columns] of `types`, one or more.
  struct Read {
    std::int64_t rows = 1;
    std::int64_t columns = 1;
    std::int64_t apart = 1;  // from one of these columns to the next
    bool is_dense = true;    // or as created by narrow_buffer
  };
  llvm::SmallVector<mlir::Value> read(const Read& read, llvm::ArrayRef<mlir::Type> types,
                                      TableBody body) const;

 private:
  [[nodiscard]] mlir::Value groups_of(std::size_t field) const;
  void pieces(std::int64_t count, llvm::function_ref<void(std::int64_t, std::int64_t)> act) const;

  Lowering& lowering_;
  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  llvm::SmallVector<mlir::Type> fields_;
  std::int64_t batches_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t group_;  // elements
  llvm::SmallVector<mlir::Value> buffers_;
};

// A buffer whose rows are rows of VMEM, if it is placed there, however narrow they are: a part of a
// wider one, as narrow buffers are dense (views/residence.hpp), and eight of their rows are no
// vector.
mlir::Value narrow_buffer(Lowering& lowering, mlir::Location loc,
                          llvm::ArrayRef<std::int64_t> shape, mlir::Type element);
// A subview with static offsets, without the dimensions `dropped`, which have one element.
mlir::Value part_of(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value from,
                    llvm::ArrayRef<std::int64_t> offsets, llvm::ArrayRef<std::int64_t> sizes,
                    llvm::ArrayRef<unsigned> dropped = {});
// One dimension as several.
mlir::Value split(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value from,
                  unsigned dimension, llvm::ArrayRef<std::int64_t> sizes);
// A generic with parallel loops over buffers.
void on_buffers(mlir::OpBuilder& builder, mlir::Location loc, mlir::ValueRange inputs,
                mlir::ValueRange outputs, llvm::ArrayRef<mlir::AffineMap> maps, TableBody body);

}  // namespace tandem::compiler
