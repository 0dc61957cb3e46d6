// Gathers of single words from a short table.
#pragma once

#include <optional>

#include "compiler/tensor/lowering/windows.hpp"

namespace tandem::compiler {

// The result of a gather each of whose windows is one element of a table along one dimension: every
// index is compared with every place of the table, which the machine does one row of the table at a
// time. None where the table is long, or read a few times only.
std::optional<mlir::Value> gathered_words(mlir::OpBuilder& builder, mlir::Location loc,
                                          mlir::Value operand, mlir::Value indices,
                                          const Windows& windows, mlir::RankedTensorType type,
                                          bool unsigned_indices);

}  // namespace tandem::compiler
