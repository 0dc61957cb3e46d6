// Merges of the columns of a sorting table, each of which is sorted.
#pragma once

#include "compiler/tensor/sorting/network.hpp"
#include "compiler/tensor/tables/rows.hpp"

namespace tandem::compiler {

// Compares an element with another one, and stores the kept one: the first of both, or the second
// where the last operand, if there is one, is true.
using Keep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder&, mlir::Location, mlir::ValueRange, mlir::ValueRange, mlir::Value)>;

// The layout for sorting this many elements of each of `width` rows: in as many columns as fit in
// the lanes, where these are several. `by_extremes`: a comparison is a minimum and a maximum.
TableShape dealt_to_columns(std::int64_t elements, std::int64_t width, bool by_extremes,
                            const Parameters& machine);

// For sorted columns: afterwards the elements of a row of the tensor are sorted, column after
// column.
void merge_columns(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape,
                   Exchange exchange, Keep keep);
// For columns whose first `shape.rows` elements are sorted: afterwards each column of a row has the
// first of all its elements.
void keep_first_columns(Lowering& lowering, mlir::Location loc, Table& table,
                        const TableShape& shape, Exchange exchange, Keep keep);

}  // namespace tandem::compiler
