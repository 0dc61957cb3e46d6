#include "compiler/sizes/tiles.hpp"

#include <algorithm>

#include "compiler/views/machine_costs.hpp"
#include "isa/timing.hpp"

namespace tandem::compiler::sizes {
namespace {

// Each operand may have two tiles, of half the remaining space.
std::int64_t share(const Parameters& machine, std::size_t operands) {
  return machine.vmem_words() / (2 * (static_cast<std::int64_t>(operands) + 1));
}

std::int64_t whole(std::int64_t count, std::int64_t unit) {
  return (count + unit - 1) / unit * unit;
}

}  // namespace

Size flat_words(const Parameters& machine, std::size_t operands) {
  constexpr std::int64_t enough = std::int64_t{1} << 15;
  const std::int64_t most = std::min(share(machine, operands), enough);
  return {most, {most, most / 2, most / 4}};
}

std::int64_t parallel_words(std::int64_t words, bool reduces) {
  return reduces ? std::max<std::int64_t>(words / 16, 1) : words;
}

Size row_columns(const Parameters& machine, std::size_t operands, std::int64_t columns) {
  const std::int64_t lanes = machine.lanes;
  const std::int64_t most = std::max<std::int64_t>(lanes, share(machine, operands) / 16);
  // A whole row of the tile must be reachable by a load's stride.
  Size size{std::min({columns, most, stride_reach * lanes}), {}};
  for (std::int64_t step = size.by_model; step >= lanes; step /= 2) {
    size.candidates.push_back(step);
  }
  return size;
}

RowTile row_tile(const Parameters& machine, std::size_t operands, std::int64_t rows,
                 std::int64_t columns, std::int64_t chosen_columns) {
  const std::int64_t lanes = machine.lanes;
  RowTile tile;
  tile.columns = chosen_columns == columns ? columns : chosen_columns / lanes * lanes;
  tile.pitch = (whole(tile.columns, lanes) / lanes | 1) * lanes;
  tile.rows = std::max<std::int64_t>(1, std::min(rows, share(machine, operands) / tile.pitch));
  if (tile.rows > sublanes) tile.rows = tile.rows / sublanes * sublanes;
  return tile;
}

// Without the whole depth at once, a left operand that is not in the unit's layout is loaded and
// transposed once for each tile of columns.
Size product_rows(const Parameters& machine, const ProductRows& shape) {
  constexpr std::int64_t most_rows = 256;  // half of the accumulators
  const std::int64_t lanes = machine.lanes;
  const std::int64_t words = machine.vmem_words() / 3;
  std::int64_t fitting = std::max<std::int64_t>(sublanes, words / (4 * lanes));
  const std::int64_t at_once = words / (lanes * shape.chunks) - (shape.right_comes ? lanes : 0);
  if (shape.left_comes && at_once >= lanes) fitting = std::min(fitting, at_once);
  const std::int64_t unit = fitting >= lanes ? lanes : sublanes;
  fitting = fitting / unit * unit;
  const std::int64_t rows = shape.rows;
  Size size{std::min({rows, most_rows, fitting}), {}};
  for (std::int64_t step = size.by_model; step > sublanes; step = whole(step / 2, sublanes)) {
    size.candidates.push_back(step);
  }
  return size;
}

std::int64_t product_chunks(const Parameters& machine, std::int64_t chunks, std::int64_t rows) {
  if (rows == 0) return chunks;  // both operands are used in place
  const std::int64_t words = machine.vmem_words() / 3;
  return std::min(chunks, std::max<std::int64_t>(1, words / (rows * machine.lanes)));
}

// Text comes in beats of L words, so more of it costs little on wide machines.
std::int64_t written_multiplies(const Parameters& machine) {
  return 2 * std::int64_t{machine.lanes};
}

// Several: their multiplies run while the results of others are pending. All of them in a loop of
// two sets of accumulators (tpu/contraction/order.cpp), where the start and end of each iteration
// would cost: pushes, latencies, reads.
bool turned_on_vectors(const Parameters& machine, const TurnedProduct& shape) {
  // The scheme of tpu/contraction/on_vectors_turned.cpp: each block of columns shares a load of the
  // left operand, two operations a cycle.
  const double blocks = shape.rows <= 2 ? 4 : 2;
  const auto rows = static_cast<double>(shape.rows);
  const auto chunks = static_cast<double>(shape.chunks);
  const auto steps = chunks * static_cast<double>(shape.halves);
  const double rounding = shape.rounds ? steps * (1 + rows / blocks) / 2 : 0;
  const double loads = chunks * (1 + rows / blocks);
  const double operations = (steps * 2 * rows + rounding + 2 * rows + 1) / 2;
  const double across = rows * timing::row_unit;
  const double vectors = std::max({operations, loads, across});
  // A set of weights is pushed in groups of eight rows, into one of several buffers, each of which
  // rows of the left operand have to pass before it is filled again.
  const double lanes = machine.lanes;
  const double pushes = lanes / sublanes * timing::push;
  const double set = std::max(pushes, (lanes + pushes) / (timing::weight_buffers - 1));
  const double matrix = steps * static_cast<double>(shape.products) * set * sublanes / lanes;
  const double memory = shape.comes ? chunks * sublanes : 0;
  return std::max(vectors, memory) < std::max(matrix, memory);
}

Size product_columns(const Parameters& machine, const Products& shape) {
  constexpr std::int64_t enough = 64;  // unrolled multiplies, of some of the tiles
  const std::int64_t groups = whole(shape.rows, sublanes) / sublanes;
  const std::int64_t held = accumulators / shape.accumulators;
  // The first chunk of the depth, the last, and an iteration of the loop over those between.
  const std::int64_t written = std::min<std::int64_t>(shape.chunks, 3);
  const std::int64_t of_tile = groups * written * shape.products;
  const bool takes_all = shape.column_tiles * of_tile <= written_multiplies(machine);
  const std::int64_t tiles = std::min(held, takes_all ? shape.column_tiles : enough / of_tile);
  const std::int64_t most = std::min(shape.column_tiles, held);
  Size size{std::min(std::max<std::int64_t>(1, tiles), most), {}};
  for (std::int64_t count = 1; count <= most; count *= 2) size.candidates.push_back(count);
  if (most == shape.column_tiles || most < 2) return size;
  size.candidates.push_back(shape.column_tiles);
  const std::int64_t way = machine.lanes / sublanes * 4 + 40 + 2 * groups;
  const std::int64_t work = size.by_model * groups * sublanes * shape.chunks * shape.products;
  if (16 * way > work) size.by_model = shape.column_tiles;
  return size;
}

}  // namespace tandem::compiler::sizes
