// How the lowering to the matrix unit divides a contraction on tiles (tpu/contraction/order.cpp).
#pragma once

#include "isa/parameters.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

struct ContractionSteps {
  std::int64_t groups = 0;   // of eight rows
  std::int64_t tiles = 1;    // of columns
  bool written_out = false;  // small enough for code without loops
  // The chunks of the depth: `head` and the last one are unrolled; between them is a loop of
  // `turns` iterations, with `turn` chunks in each.
  std::int64_t turn = 1;
  std::int64_t head = 0;
  std::int64_t turns = 0;

  // For a tile: each unrolled chunk, and each iteration.
  [[nodiscard]] std::int64_t of_tile() const { return head + turns + 1; }
  // The number of tiles whose steps each overlap with a group of rows (tiled/overlap_rows.cpp),
  // where there are that many groups. Only where the chunks are a loop: a loop over tiles names
  // accumulators by a register, so that all accesses to one keep their order, and is no pipeline
  // with rows in it.
  [[nodiscard]] std::int64_t tiles_with_rows(std::int64_t groups_of_rows) const {
    const bool loops = !written_out && turns > 1;
    return loops ? std::min(tiles, groups_of_rows / of_tile()) : 0;
  }
};

ContractionSteps contraction_steps(mlir::linalg::LinalgOp op, const Parameters& machine);

}  // namespace tandem::compiler
