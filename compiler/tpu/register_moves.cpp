#include "compiler/tpu/register_moves.hpp"

#include "compiler/tpu/lane_builder.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/views/access.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;
using moves::LaneMove;
using moves::LanePlan;
using moves::RowDimension;

class LaneMoves : LaneBuilder {
 public:
  LaneMoves(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes)
      : LaneBuilder(builder, loc, lanes) {}

  void run(const LanePlan& plan, const VmemRow& source, const VmemRow& target) {
    const RowDimension& sublane = plan.rows.front();
    for_each_row(builder_, loc_, source, target, llvm::ArrayRef(plan.rows).drop_front(),
                 [&](const VmemRow& from, const VmemRow& to) { groups(plan, sublane, from, to); });
  }

 private:
  void groups(const LanePlan& plan, const RowDimension& sublane, const VmemRow& source,
              const VmemRow& target) {
    const std::int64_t whole = sublane.size / sublanes;
    const RowDimension steps{whole, sublane.source * sublanes, sublane.target * sublanes};
    if (whole > 0) {
      for_each_row(builder_, loc_, source, target, steps,
                   [&](const VmemRow& from, const VmemRow& to) {
                     group(plan, sublane, sublanes, from, to);
                   });
    }
    if (sublane.size % sublanes == 0) return;
    VmemRow from = source;
    VmemRow to = target;
    from.fixed += whole * steps.source;
    to.fixed += whole * steps.target;
    group(plan, sublane, sublane.size % sublanes, from, to);
  }

  void group(const LanePlan& plan, const RowDimension& sublane, std::int64_t count,
             const VmemRow& source, const VmemRow& target) {
    for (const LaneMove& move : plan.moves) {
      const VmemAddress from =
          row_address(builder_, loc_, source, move.source, sublane.source, count);
      const Value x = load_at(builder_, loc_, "vld", from);
      VmemAddress to = row_address(builder_, loc_, target, move.target, sublane.target, count);
      to.registers.push_back(permuted(x, move.way));
      if (const Value mask = mask_of(move.lanes)) to.registers.push_back(mask);
      store_at(builder_, loc_, to);
    }
  }
};

}  // namespace

VmemAddress row_address(mlir::OpBuilder& builder, mlir::Location loc, const VmemRow& base,
                        std::int64_t row, std::int64_t apart, std::int64_t count) {
  std::int64_t fixed = base.fixed + row;
  OpFoldResult moved = builder.getIndexAttr(0);
  if (base.moved) moved = base.moved;
  if (fixed < 0) {  // compensated by the run-time part
    moved = add(builder, loc, moved, builder.getIndexAttr(fixed));
    fixed = 0;
  }
  VmemAddress address = vmem_address(builder, loc, fixed, moved, base.buffer);
  address.attributes.push_back(number_attribute(builder, "rows", count));
  if (count > 1 && apart != 1)
    address.attributes.push_back(number_attribute(builder, "stride", apart));
  return address;
}

void for_each_row(mlir::OpBuilder& builder, mlir::Location loc, const VmemRow& source,
                  const VmemRow& target, llvm::ArrayRef<RowDimension> dimensions, MovedBody body) {
  if (dimensions.empty()) return body(source, target);
  const RowDimension& outer = dimensions.back();
  const auto inner = dimensions.drop_back();
  if (outer.size == 1) return for_each_row(builder, loc, source, target, inner, body);
  const auto constant = [&](std::int64_t value) -> Value {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  };
  const auto moved = [&](const VmemRow& base, Value index, std::int64_t rows) {
    if (rows == 0) return base;
    const OpFoldResult by = times(builder, loc, index, rows);
    const OpFoldResult sum = base.moved ? add(builder, loc, base.moved, by) : by;
    return VmemRow{base.fixed, mlir::getValueOrCreateConstantIndexOp(builder, loc, sum),
                   base.buffer};
  };
  auto loop =
      mlir::scf::ForOp::create(builder, loc, constant(0), constant(outer.size), constant(1));
  const mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  const Value index = loop.getInductionVar();
  const VmemRow from = moved(source, index, outer.source);
  const VmemRow to = moved(target, index, outer.target);
  for_each_row(builder, loc, from, to, inner, body);
}

std::optional<std::pair<VmemRow, std::int64_t>> row_and_lane(const Place& place,
                                                             std::int64_t lanes) {
  if (place.space != Space::vmem) return std::nullopt;
  const auto fixed = mlir::getConstantIntValue(place.offset);
  std::int64_t start = place.start + fixed.value_or(0);
  Value moved;
  if (!fixed) {
    moved = mlir::cast<Value>(place.offset);
    const auto lane = remainder_of(moved, lanes);
    if (!lane) return std::nullopt;
    start += *lane;
  }
  return std::pair(VmemRow{start / lanes, moved, place.buffer}, start % lanes);
}

VmemRow in_rows(mlir::OpBuilder& builder, mlir::Location loc, VmemRow row, std::int64_t lanes) {
  if (!row.moved) return row;
  const Value shift = mlir::arith::ConstantIndexOp::create(
      builder, loc, llvm::Log2_64(static_cast<std::uint64_t>(lanes)));
  row.moved = mlir::arith::ShRUIOp::create(builder, loc, row.moved, shift);
  return row;
}

bool move_in_registers(mlir::OpBuilder& builder, mlir::Location loc, const Parameters& machine,
                       const Place& source, const Place& target,
                       llvm::ArrayRef<moves::Dimension> dimensions) {
  const auto lanes = static_cast<std::int64_t>(machine.lanes);
  const auto from = row_and_lane(source, lanes);
  const auto to = row_and_lane(target, lanes);
  if (!from || !to) return false;
  const auto plan = moves::plan_of(dimensions, from->second, to->second, machine);
  if (!plan) return false;
  const VmemRow from_row = in_rows(builder, loc, from->first, lanes);
  const VmemRow to_row = in_rows(builder, loc, to->first, lanes);
  if (plan->turn) emit_turn(builder, loc, lanes, from_row, to_row, *plan->turn);
  for (const LanePlan& part : plan->lanes) {
    LaneMoves(builder, loc, lanes).run(part, from_row, to_row);
  }
  return true;
}

}  // namespace tandem::compiler
