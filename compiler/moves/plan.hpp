// Copies within VMEM by way of registers: those that the copy engine would do at a word a cycle,
// because no run of words stays contiguous.
//
// A copy is a box of words, each dimension with a stride on both sides. Two forms:
//
//   lanes  a few moves of lanes within rows (compiler/moves/lanes.hpp), done for eight rows at once
//          and again along the dimensions that step over whole rows on both sides;
//   turn   a matrix whose rows become columns, tile by tile.
#pragma once

#include <optional>

#include "compiler/moves/lanes.hpp"
#include "isa/parameters.hpp"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem::compiler::moves {

// One dimension of the box; strides in words.
struct Dimension {
  std::int64_t size = 1;
  std::int64_t source = 0;
  std::int64_t target = 0;
};
using Dimensions = llvm::SmallVector<Dimension>;

// Innermost first, without dimensions of size 1; neighbours that both sides walk as one are merged.
Dimensions dimensions_of(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::int64_t> from,
                         llvm::ArrayRef<std::int64_t> to);

// A dimension that steps over whole rows of VMEM on both sides.
struct RowDimension {
  std::int64_t size = 1;
  std::int64_t source = 0;
  std::int64_t target = 0;
};

// Lanes of one row to lanes of another, both counted from the copy's first rows.
struct LaneMove {
  std::int64_t source = 0;
  std::int64_t target = 0;
  Way way;
  Range lanes;
};

// `moves` for each index of `rows`; the first of these is done eight at a time.
struct LanePlan {
  llvm::SmallVector<RowDimension> rows;
  llvm::SmallVector<LaneMove> moves;
};

// Column j of row i of the source to column i of row j of the target.
struct TurnPlan {
  std::int64_t rows = 0;     // of the source
  std::int64_t columns = 0;  // of the source
  std::int64_t source = 0;   // rows of VMEM from one row to the next
  std::int64_t target = 0;
  llvm::SmallVector<RowDimension> others;
};

struct Plan {
  llvm::SmallVector<LanePlan> lanes;  // parts, or
  std::optional<TurnPlan> turn;
  std::int64_t cycles = 0;  // estimated
};

// The plan of the copy in registers. Nothing where it is impossible. The lanes are those of the
// first element on each side.
std::optional<Plan> plan_of(llvm::ArrayRef<Dimension> dimensions, std::int64_t source_lane,
                            std::int64_t target_lane, const Parameters& machine);

// A transpose tile by tile through the cross-lane unit, or word by word through column loads.
std::int64_t cycles_of_tiles(std::int64_t rows, std::int64_t columns, std::int64_t lanes);
std::int64_t cycles_of_columns(std::int64_t rows, std::int64_t columns);
// Whether a tile, or a part of one, is transposed by permutations alone.
bool permutes_blocks(std::int64_t rows, std::int64_t columns);
// Whether a tile by columns costs about as much as one in tiles, so that two run together, one each
// way.
bool turns_both_ways(std::int64_t lanes);

// The cycles of the copy engine, without its latency.
std::int64_t cycles_of_copy(llvm::ArrayRef<Dimension> dimensions, std::int64_t lanes);

}  // namespace tandem::compiler::moves
