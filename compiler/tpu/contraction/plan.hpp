// How a contraction on tiles is executed: everything that follows from the operation, before
// anything is emitted.
#pragma once

#include "compiler/tpu/contraction/tile.hpp"
#include "compiler/views/contraction_steps.hpp"
#include "compiler/views/products.hpp"

namespace tandem::compiler {

// Multiplications of one set of weights that are unrolled at most: at least as many rows as fit
// into the time of pushing a whole set.
std::int64_t most_written_out(const Parameters& machine);

struct ContractionPlan {
  // The outermost order.
  enum class Order : std::uint8_t {
    tiles,     // one tile of columns after the other, unrolled
    loop,      // the same in a loop: there are not enough accumulators for all
    by_chunks  // all tiles for each chunk of the depth, as it arrives
  };

  ContractionTile left;
  ContractionTile right;
  ContractionTile result;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t halves = 1;
  std::int64_t chunks = 0;
  std::int64_t depth = 0;
  llvm::SmallVector<Pass> passes;
  bool has_low = false;  // there are products of lower parts
  ContractionSteps steps;
  Order order = Order::tiles;
  std::int64_t sets = 1;             // of accumulators, for alternate tiles
  bool arrives = false;              // arrives in parts, and is waited for part by part
  bool columns_arrive = false;       // the weights arrive by columns
  bool adds_to_result = false;       // to the former contents
  bool stays_open = false;           // its last step and its results wait for the next contraction
  std::int64_t tiles_with_rows = 0;  // that overlap with rows in each of their steps

  [[nodiscard]] bool is_bytes() const { return left.is_bytes; }
  // How many accumulators eight rows of a tile need, and the number that all current ones need.
  [[nodiscard]] std::int64_t sums() const { return has_low ? 2 : 1; }
  [[nodiscard]] std::int64_t accumulators_needed() const { return steps.groups * sets * sums(); }
  // Whether no product of lower parts comes before this one in a step of all passes.
  [[nodiscard]] bool is_first_low(std::size_t pass, int left_part) const {
    if (passes.front().left_parts > 1) return pass == 0 && left_part == 1;
    return pass == 1 && left_part == 0;
  }
};

// `groups_beside`: groups of rows that may overlap with it.
ContractionPlan contraction_plan(mlir::linalg::LinalgOp op, const ContractionTiles& tiles,
                                 const Parameters& machine, std::int64_t groups_beside);

}  // namespace tandem::compiler
