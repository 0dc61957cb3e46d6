// The tile sizes of the pass `tile`, by models of cost: from extents and the machine alone. Each is
// a decision (contract/choices.hpp), so the other correct candidates are here, too.
//
// Tiles share the VMEM that resident buffers leave (views/residence.hpp). Groups that are cut
// earlier have their models beside them: tensor/attention/sizes.cpp, tiled/cut_into_blocks.cpp.
#pragma once

#include <cstdint>

#include "isa/parameters.hpp"
#include "llvm/ADT/SmallVector.h"

namespace tandem::compiler::sizes {

struct Size {
  std::int64_t by_model = 0;
  llvm::SmallVector<std::int64_t> candidates;
};

// ---- the general path: a flat box of the loops

// Words of an operand's tile.
Size flat_words(const Parameters& machine, std::size_t operands);
// How many of these are in parallel loops; the rest are in reduction loops.
std::int64_t parallel_words(std::int64_t words, bool reduces);

// ---- the row layout

// Columns of a tile that is a whole row, or of whole chunks.
Size row_columns(const Parameters& machine, std::size_t operands, std::int64_t columns);
struct RowTile {
  std::int64_t columns = 0;
  std::int64_t pitch = 0;  // words from one row to the next: an odd number of rows of VMEM
  std::int64_t rows = 0;
};
RowTile row_tile(const Parameters& machine, std::size_t operands, std::int64_t rows,
                 std::int64_t columns, std::int64_t chosen_columns);

// ---- contractions

struct Products {
  std::int64_t rows = 0;    // of a tile
  std::int64_t chunks = 0;  // of the depth
  std::int64_t column_tiles = 0;
  std::int64_t products = 1;      // of parts, and of halves, for each chunk
  std::int64_t accumulators = 1;  // of a tile of columns
};
struct ProductRows {
  std::int64_t rows = 0;
  std::int64_t chunks = 0;   // of the depth
  bool left_comes = false;   // in tiles, if it is not used in place
  bool right_comes = false;  // the same
};
Size product_rows(const Parameters& machine, const ProductRows& shape);
// Chunks of the depth in a tile, where a chunk takes this many rows of L words in both operands.
std::int64_t product_chunks(const Parameters& machine, std::int64_t chunks, std::int64_t rows);
// Unrolled multiplies of eight rows, in consecutive products.
std::int64_t written_multiplies(const Parameters& machine);
// A product of few rows whose weights are stored by columns: the cycles of eight columns.
struct TurnedProduct {
  std::int64_t rows = 0;
  std::int64_t chunks = 0;    // of the depth
  std::int64_t halves = 1;    // of words along the depth
  std::int64_t products = 1;  // of parts
  bool rounds = false;        // to bf16 on the vector units
  bool comes = false;         // the weights, from HBM
};
// Whether the vector units take fewer cycles than the matrix unit, which needs such weights
// transposed.
bool turned_on_vectors(const Parameters& machine, const TurnedProduct& shape);
// Tiles of columns per iteration.
Size product_columns(const Parameters& machine, const Products& shape);

}  // namespace tandem::compiler::sizes
