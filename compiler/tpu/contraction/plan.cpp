#include "compiler/tpu/contraction/plan.hpp"

#include <tuple>

#include "compiler/contract/attributes.hpp"
#include "compiler/sizes/tiles.hpp"

namespace tandem::compiler {
namespace {

using Order = ContractionPlan::Order;

Order order_of(mlir::linalg::LinalgOp op, const ContractionPlan& plan, const Parameters& machine) {
  const std::int64_t taken = plan.steps.groups * plan.sums();  // accumulators, by a tile
  const std::int64_t multiplies = plan.steps.groups * plan.steps.tiles * plan.halves * plan.chunks;
  if (taken * plan.steps.tiles > accumulators) {
    // Loops wait for everything that they load.
    const bool is_written = plan.arrives && 2 * taken <= accumulators &&
                            multiplies * static_cast<std::int64_t>(plan.passes.size()) <=
                                sizes::written_multiplies(machine);
    return is_written ? Order::tiles : Order::loop;
  }
  return attribute::chunks_first.is_on(op) ? Order::by_chunks : Order::tiles;
}

}  // namespace

std::int64_t most_written_out(const Parameters& machine) {
  return std::max<std::int64_t>(15, machine.lanes / 4 - 1);
}

ContractionPlan contraction_plan(mlir::linalg::LinalgOp op, const ContractionTiles& tiles,
                                 const Parameters& machine, std::int64_t groups_beside) {
  ContractionPlan plan;
  std::tie(plan.left, plan.right, plan.result) = std::tie(tiles.left, tiles.right, tiles.result);
  std::tie(plan.rows, plan.columns) = std::tie(tiles.rows, tiles.columns);
  std::tie(plan.halves, plan.chunks, plan.depth) =
      std::tie(tiles.halves, tiles.chunks, tiles.depth);
  plan.passes = passes_of(op);
  plan.has_low = products_of(op) > 1;
  plan.steps = contraction_steps(op, machine);
  plan.arrives = attribute::arrives.is_on(op);
  plan.order = order_of(op, plan, machine);
  const bool has_all = plan.steps.groups * plan.sums() * plan.steps.tiles <= accumulators;
  plan.sets = has_all ? plan.steps.tiles : 2;
  plan.columns_arrive = attribute::arrives_by_columns.is_on(op) && plan.order == Order::loop;
  plan.adds_to_result = !attribute::overwrites.is_on(op);
  if (plan.order != Order::by_chunks)
    plan.tiles_with_rows = plan.steps.tiles_with_rows(groups_beside);
  plan.stays_open = plan.order == Order::tiles &&
                    plan.steps.groups <= most_written_out(machine) + 1 &&
                    2 * plan.accumulators_needed() <= accumulators;
  return plan;
}

}  // namespace tandem::compiler
