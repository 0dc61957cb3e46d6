#include "compiler/moves/plan.hpp"

#include <cstdlib>
#include <map>
#include <numeric>

#include "compiler/contract/thresholds.hpp"
#include "compiler/views/machine_costs.hpp"
#include "isa/timing.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tandem::compiler::moves {
namespace {

constexpr std::int64_t most_moves = 48;                 // instructions written out
constexpr std::size_t most_tables = 12;                 // registers that hold the source lanes
constexpr std::int64_t permutation = timing::row_unit;  // cycles of the cross-lane unit
constexpr std::int64_t loop_cycles = 3;                 // of a branch and addresses

std::int64_t size_of(llvm::ArrayRef<Dimension> dimensions) {
  std::int64_t size = 1;
  for (const Dimension& dimension : dimensions) size *= dimension.size;
  return size;
}

bool is_reachable(std::int64_t rows) { return std::abs(rows) <= stride_reach; }

// Splits a copy into parts whose dimensions either step over whole rows on both sides, or are part
// of a small core that is the same for each index of the others.
class LanePlanner {
 public:
  LanePlanner(std::int64_t source_lane, std::int64_t target_lane, std::int64_t lanes)
      : source_lane_(source_lane), target_lane_(target_lane), lanes_(lanes) {}

  bool plan(llvm::ArrayRef<Dimension> dimensions) { return part(dimensions, {}, {}, 0, 0); }

  llvm::SmallVector<LanePlan> parts;
  std::int64_t cycles = 0;

 private:
  bool part(llvm::ArrayRef<Dimension> left, llvm::SmallVector<RowDimension> rows, Dimensions core,
            std::int64_t source, std::int64_t target) {
    if (left.empty()) return finish(std::move(rows), core, source, target);
    const Dimension& next = left.front();
    const auto rest = left.drop_front();
    const std::int64_t step =
        lanes_ / std::gcd(std::gcd(lanes_, std::abs(next.source)), std::abs(next.target));
    const std::int64_t whole = next.size / step;
    if (whole > 0) {
      auto longer = rows;
      if (whole > 1) {
        longer.push_back({whole, step * next.source / lanes_, step * next.target / lanes_});
      }
      Dimensions larger = core;
      if (step > 1) larger.push_back({step, next.source, next.target});
      if (!part(rest, std::move(longer), std::move(larger), source, target)) return false;
    }
    const std::int64_t remaining = next.size - whole * step;
    if (remaining == 0) return true;
    core.push_back({remaining, next.source, next.target});
    return part(rest, std::move(rows), std::move(core),
                source + whole * step * next.source / lanes_,
                target + whole * step * next.target / lanes_);
  }

  // `source` and `target`: rows from the copy's first ones.
  bool finish(llvm::SmallVector<RowDimension> rows, llvm::ArrayRef<Dimension> core,
              std::int64_t source, std::int64_t target) {
    if (threshold::listed_move(size_of(core))) return false;
    LanePlan plan;
    // By row of the target, then of the source.
    std::map<std::pair<std::int64_t, std::int64_t>, Lanes> found;
    const auto row_and_lane = [&](std::int64_t word) {
      const std::int64_t lane = ((word % lanes_) + lanes_) % lanes_;
      return std::pair((word - lane) / lanes_, lane);
    };
    const std::int64_t size = size_of(core);
    for (std::int64_t number = 0; number < size; ++number) {
      std::int64_t from = source_lane_;
      std::int64_t to = target_lane_;
      std::int64_t rest = number;
      for (const Dimension& dimension : core) {
        from += rest % dimension.size * dimension.source;
        to += rest % dimension.size * dimension.target;
        rest /= dimension.size;
      }
      const auto [source_row, source_lane] = row_and_lane(from);
      const auto [target_row, target_lane] = row_and_lane(to);
      found[{target_row, source_row}].emplace_back(target_lane, source_lane);
      if (static_cast<std::int64_t>(found.size()) > most_moves) return false;
    }
    std::int64_t of_group = 0;
    llvm::SmallVector<Way> tables;
    for (const auto& [places, lanes] : found) {
      const LaneMove move{places.second + source, places.first + target, way_of(lanes, lanes_),
                          range_of(lanes)};
      if (move.way.kind == Way::Kind::none || move.lanes.step == 0) return false;
      ++of_group;  // a load or a store, which what follows does not hide
      if (move.way.kind != Way::Kind::stay) of_group += permutation;
      if (move.way.kind == Way::Kind::jumps && !llvm::is_contained(tables, move.way)) {
        tables.push_back(move.way);
        cycles += instructions_of_table(move.way);
      }
      plan.moves.push_back(move);
    }
    if (tables.size() > most_tables) return false;
    if (plan.moves.size() + written_ > most_moves) return false;
    written_ += plan.moves.size();
    take_sublanes(rows);
    std::int64_t groups = 1;
    for (const auto [index, row] : llvm::enumerate(rows)) {
      groups *= index == 0 ? llvm::divideCeil(row.size, sublanes) : row.size;
    }
    cycles += groups * (of_group + loop_cycles);
    plan.rows = std::move(rows);
    parts.push_back(std::move(plan));
    return true;
  }

  // The lane numbers are computed once.
  static std::int64_t instructions_of_table(const Way& way) {
    return 2 + 3 * static_cast<std::int64_t>(way.jumps.size());
  }

  // The dimension that gains most from eight at a time goes first.
  static void take_sublanes(llvm::SmallVector<RowDimension>& rows) {
    std::size_t best = rows.size();
    double most = 0;
    for (const auto [index, row] : llvm::enumerate(rows)) {
      if (!is_reachable(row.source) || !is_reachable(row.target) || row.target == 0) continue;
      const double gain =
          static_cast<double>(row.size) / static_cast<double>(llvm::divideCeil(row.size, sublanes));
      // Rows an even number apart share banks.
      const double worth = gain * (row.target % 2 == 0 ? 0.5 : 1.0) *
                           (row.source % 2 == 0 && row.source != 0 ? 0.5 : 1.0);
      if (worth <= most && best != rows.size()) continue;
      if (row.size < 2) continue;
      most = worth;
      best = index;
    }
    if (best == rows.size()) {
      rows.insert(rows.begin(), RowDimension{});
    } else {
      std::swap(rows[best], rows.front());
    }
  }

  std::int64_t source_lane_;
  std::int64_t target_lane_;
  std::int64_t lanes_;
  std::size_t written_ = 0;
};

std::optional<TurnPlan> turn_of(llvm::ArrayRef<Dimension> dimensions, std::int64_t lanes) {
  TurnPlan plan;
  for (const Dimension& dimension : dimensions) {
    const bool source_steps = dimension.source % lanes == 0;
    const bool target_steps = dimension.target % lanes == 0;
    if (plan.columns == 0 && dimension.source == 1 && target_steps) {
      plan.columns = dimension.size;
      plan.target = dimension.target / lanes;
    } else if (plan.rows == 0 && dimension.target == 1 && source_steps) {
      plan.rows = dimension.size;
      plan.source = dimension.source / lanes;
    } else if (source_steps && target_steps) {
      plan.others.push_back({dimension.size, dimension.source / lanes, dimension.target / lanes});
    } else {
      return std::nullopt;
    }
  }
  if (plan.rows == 0 || plan.columns == 0 || !is_reachable(plan.source) ||
      !is_reachable(plan.target)) {
    return std::nullopt;
  }
  return plan;
}

}  // namespace

Dimensions dimensions_of(llvm::ArrayRef<std::int64_t> shape, llvm::ArrayRef<std::int64_t> from,
                         llvm::ArrayRef<std::int64_t> to) {
  Dimensions dimensions;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (!dimensions.empty() && dimensions.back().source * dimensions.back().size == from[i] &&
        dimensions.back().target * dimensions.back().size == to[i]) {
      dimensions.back().size *= shape[i];
    } else {
      dimensions.push_back({shape[i], from[i], to[i]});
    }
  }
  return dimensions;
}

bool permutes_blocks(std::int64_t rows, std::int64_t columns) {
  return threshold::transposed_blocks(std::min(rows, columns));
}

std::int64_t cycles_of_tiles(std::int64_t rows, std::int64_t columns, std::int64_t lanes) {
  const auto of_tile = [](std::int64_t tile_rows, std::int64_t tile_columns) -> std::int64_t {
    if (tile_rows == 0 || tile_columns == 0) return 0;
    const auto from = static_cast<std::int64_t>(llvm::divideCeil(tile_rows, sublanes));
    const auto to = static_cast<std::int64_t>(llvm::divideCeil(tile_columns, sublanes));
    const std::int64_t transposes = std::min(from, to) - 2;
    return permutation * (from + to + (permutes_blocks(tile_rows, tile_columns) ? 0 : transposes)) +
           2 * loop_cycles;
  };
  const std::int64_t down = rows / lanes;
  const std::int64_t across = columns / lanes;
  return down * across * of_tile(lanes, lanes) + down * of_tile(lanes, columns % lanes) +
         across * of_tile(rows % lanes, lanes) + of_tile(rows % lanes, columns % lanes);
}

std::int64_t cycles_of_columns(std::int64_t rows, std::int64_t columns) {
  return static_cast<std::int64_t>(llvm::divideCeil(columns, sublanes)) * (rows + loop_cycles);
}

bool turns_both_ways(std::int64_t lanes) {
  return lanes > sublanes &&
         cycles_of_columns(lanes, lanes) <= 2 * cycles_of_tiles(lanes, lanes, lanes);
}

std::optional<Plan> plan_of(llvm::ArrayRef<Dimension> dimensions, std::int64_t source_lane,
                            std::int64_t target_lane, const Parameters& machine) {
  const auto lanes = static_cast<std::int64_t>(machine.lanes);
  std::optional<Plan> best;
  LanePlanner planner(source_lane, target_lane, lanes);
  if (planner.plan(dimensions)) {
    best = Plan{std::move(planner.parts), std::nullopt, planner.cycles};
  }
  if (source_lane != 0 || target_lane != 0) return best;
  if (auto turn = turn_of(dimensions, lanes)) {
    std::int64_t cycles = std::min(cycles_of_tiles(turn->rows, turn->columns, lanes),
                                   cycles_of_columns(turn->rows, turn->columns));
    if (turns_both_ways(lanes)) cycles = cycles * 2 / 3;
    for (const RowDimension& other : turn->others) cycles *= other.size;
    if (!best || cycles < best->cycles) best = Plan{{}, std::move(turn), cycles};
  }
  return best;
}

std::int64_t cycles_of_copy(llvm::ArrayRef<Dimension> dimensions, std::int64_t lanes) {
  std::int64_t run = 1;
  std::int64_t runs = 1;
  for (const Dimension& dimension : dimensions) {
    if (run == 1 && dimension.source == 1 && dimension.target == 1) {
      run = dimension.size;
    } else {
      runs *= dimension.size;
    }
  }
  return runs * static_cast<std::int64_t>(llvm::divideCeil(run, lanes));
}

}  // namespace tandem::compiler::moves
