// Merges of the columns of a sorting table, each of which is sorted.
#pragma once

#include "compiler/tensor/sorting/network.hpp"
#include "compiler/tensor/tables/rows.hpp"

namespace tandem::compiler {

// Compares an element with another one, and has what is kept in its place: of both, what comes
// first, or where the last operand, if there is one, is true what comes second.
using Keep = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder&, mlir::Location, mlir::ValueRange, mlir::ValueRange, mlir::Value)>;

// How so many elements of each of `width` rows are laid out to be sorted: in as many columns as the
// lanes have room for, where these are several. `by_extremes`: a comparison is a minimum and a
// maximum.
TableShape dealt_to_columns(std::int64_t elements, std::int64_t width, bool by_extremes,
                            const Parameters& machine);

// Of columns that are sorted: afterwards the elements of a row of the tensor are, column after
// column.
void merge_columns(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape,
                   Exchange exchange, Keep keep);
// Of columns whose first `shape.rows` elements are sorted: afterwards each column of a row has what
// comes first of all of them.
void keep_first_columns(Lowering& lowering, mlir::Location loc, Table& table,
                        const TableShape& shape, Exchange exchange, Keep keep);

}  // namespace tandem::compiler
