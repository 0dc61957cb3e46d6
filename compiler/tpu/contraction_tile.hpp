// Operands of a contraction in VMEM, as the lowerings for the matrix unit and for the vector units
// read them from the operation of tiled/contraction.cpp.
#pragma once

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

struct ContractionTile {
  VmemRow row;
  std::int64_t half_rows = 0;   // from one half to the next, in rows of VMEM
  std::int64_t chunk_rows = 0;  // from one chunk to the next, in rows of VMEM
  std::int64_t pitch = 1;       // from one row of the tile to the next
  bool by_columns = false;      // the rows of the tile are columns of the weights
  bool is_bytes = false;
  bool is_bf16 = false;  // its elements are exact there
  llvm::StringRef part;  // of the words: "lo", "hi", "halves", or "" for whole ones
};

// Operand 0 is the left one, 1 the right one, 2 the result.
mlir::FailureOr<ContractionTile> contraction_tile(mlir::OpBuilder& builder, Memory& memory,
                                                  const Parameters& machine,
                                                  mlir::linalg::LinalgOp op, unsigned operand);

// A contraction of few rows on the vector units, with the attribute `tandem.vector`: its depth is
// in one piece, and its weights lie by rows.
mlir::LogicalResult lower_vector_contraction(mlir::OpBuilder& builder, Memory& memory,
                                             const Parameters& machine, mlir::linalg::LinalgOp op);

}  // namespace tandem::compiler
