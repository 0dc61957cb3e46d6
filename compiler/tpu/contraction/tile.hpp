// Operands of a contraction in VMEM, as the lowerings for the matrix unit and for the vector units
// read them from the operation of tiled/contraction/.
#pragma once

#include <optional>

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

struct ContractionTile {
  VmemRow row;
  std::int64_t lane = 0;        // of it, at which the tile begins
  mlir::Value view;             // the operand
  std::int64_t half_rows = 0;   // from one half to the next, in rows of VMEM
  std::int64_t chunk_rows = 0;  // from one chunk to the next, in rows of VMEM
  std::int64_t pitch = 1;       // from one row of the tile to the next
  bool by_columns = false;      // the rows of the tile are columns of the weights
  bool is_bytes = false;
  bool is_bf16 = false;  // its elements are exact there
  llvm::StringRef part;  // of the words: "lo", "hi", "halves", "b0" to "b3", or "" for whole ones
  // The number of the selected byte, as fp32.
  [[nodiscard]] std::optional<std::int64_t> byte() const {
    if (!part.starts_with("b")) return std::nullopt;
    return part.back() - '0';
  }
};

// The three tiles, and the extents of the loops over them.
struct ContractionTiles {
  ContractionTile left;
  ContractionTile right;
  ContractionTile result;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t halves = 1;  // of words along the depth
  std::int64_t chunks = 0;
  std::int64_t depth = 0;  // of one chunk
};

// Failure, with an error, where an operand is no tile in VMEM.
mlir::FailureOr<ContractionTiles> contraction_tiles(mlir::OpBuilder& builder, Memory& memory,
                                                    const Parameters& machine,
                                                    mlir::linalg::LinalgOp op);

// A contraction of few rows on the vector units, with the attribute `tandem.vector`. With weights
// stored by rows, its depth is in one piece; two operations may share words. With weights stored by
// columns, it is in chunks of L elements; one operation may continue another.
mlir::LogicalResult lower_vector_contraction(mlir::OpBuilder& builder, Memory& memory,
                                             const Parameters& machine,
                                             llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

// One or several of these with weights by columns, each of which continues the one before.
mlir::LogicalResult lower_turned_contraction(mlir::OpBuilder& builder, Memory& memory,
                                             const Parameters& machine,
                                             llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

// Whether the second of two contractions on the vector units with weights by columns adds to the
// result of the first. The caller knows that nothing happens between them.
bool goes_on_in_depth(mlir::linalg::LinalgOp one, mlir::linalg::LinalgOp other);

// Whether two contractions on the vector units differ in the half of the weights' words and in the
// result only. The caller knows that nothing happens between them.
bool share_words(mlir::linalg::LinalgOp one, mlir::linalg::LinalgOp other);

}  // namespace tandem::compiler
