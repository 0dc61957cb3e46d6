#include "compiler/tpu/contraction/plan.hpp"

#include <tuple>

#include "compiler/contract/attributes.hpp"

namespace tandem::compiler {
namespace {

using Order = ContractionPlan::Order;

Order order_of(mlir::linalg::LinalgOp op, const ContractionPlan& plan) {
  if (plan.steps.groups * plan.steps.tiles * plan.sums() > accumulators) return Order::loop;
  const bool arrives = attribute::arrives.is_on(op) && plan.steps.written_out;
  return arrives ? Order::by_chunks : Order::tiles;
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
  plan.order = order_of(op, plan);
  plan.sets = plan.order == Order::loop ? 2 : plan.steps.tiles;
  plan.rows_arrive = attribute::rows_arrive.is_on(op) && plan.weights_arrive();
  plan.columns_arrive = attribute::arrives_by_columns.is_on(op) && plan.order == Order::loop;
  plan.adds_to_result = !attribute::overwrites.is_on(op);
  if (!plan.weights_arrive()) plan.tiles_with_rows = plan.steps.tiles_with_rows(groups_beside);
  plan.stays_open = plan.order == Order::tiles &&
                    plan.steps.groups <= most_written_out(machine) + 1 &&
                    2 * plan.accumulators_needed() <= accumulators;
  return plan;
}

}  // namespace tandem::compiler
