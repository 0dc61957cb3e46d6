// Merges of the columns of a sorting table, each of which is sorted.
#pragma once

#include "compiler/tensor/sorting/network.hpp"
#include "compiler/tensor/tables/rows.hpp"

namespace tandem::compiler {

// The elements of a row of the tensor lie column after column; afterwards they are sorted.
void merge_columns(Lowering& lowering, mlir::Location loc, Table& table, const TableShape& shape,
                   Exchange exchange);

}  // namespace tandem::compiler
