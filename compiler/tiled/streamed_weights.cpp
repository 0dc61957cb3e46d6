#include "compiler/tiled/streamed_weights.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/sizes/tiles.hpp"
#include "compiler/views/products.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {
namespace {

using mlir::linalg::GenericOp;

constexpr std::int64_t least_beats = 96;  // of a tile of L columns, which hide the latency of a
                                          // copy
constexpr std::int64_t least_tiles = 3;

bool is_contraction(mlir::Operation* op) { return attribute::precision.is_on(op); }

// The one contraction that reads the buffer as its right operand.
GenericOp only_reader(mlir::Value buffer) {
  if (!buffer.hasOneUse()) return {};
  mlir::OpOperand& use = *buffer.getUses().begin();
  auto op = mlir::dyn_cast<GenericOp>(use.getOwner());
  return op && is_contraction(op) && use.getOperandNumber() == 1 ? op : GenericOp();
}

bool is_last(mlir::Operation* op) {
  bool found = false;
  bool others = false;
  op->getParentOfType<mlir::func::FuncOp>().walk<mlir::WalkOrder::PreOrder>(
      [&](mlir::Operation* other) {
        others = others || (found && is_contraction(other));
        found = found || other == op;
      });
  return !others && !op->getParentOfType<mlir::LoopLikeOpInterface>();
}

// A product of rows with columns, or nothing where it has another form.
std::optional<sizes::TurnedProduct> shape_of(GenericOp op, const Parameters& machine) {
  const auto maps = op.getIndexingMapsArray();
  const mlir::AffineMap right = maps[1];
  if (right.getNumResults() != 2 || !right.isProjectedPermutation()) return std::nullopt;
  const auto kinds = op.getIteratorTypesArray();
  const auto ranges = op.getStaticLoopRanges();
  const unsigned depth = right.getDimPosition(1);
  const unsigned columns = right.getDimPosition(0);
  if (kinds[depth] != mlir::utils::IteratorType::reduction ||
      kinds[columns] != mlir::utils::IteratorType::parallel || maps[0].isFunctionOfDim(columns) ||
      ranges[depth] < least_beats || ranges[columns] < least_tiles * machine.lanes) {
    return std::nullopt;
  }
  sizes::TurnedProduct shape;
  shape.rows = 1;
  const auto halves = attribute::halves.get(op);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (loop == depth || loop == columns) continue;
    if (kinds[loop] == mlir::utils::IteratorType::parallel) {
      shape.rows *= ranges[loop];
    } else if (halves && halves.getInt() == loop) {
      shape.halves = ranges[loop];
    } else {
      return std::nullopt;
    }
  }
  shape.chunks = (ranges[depth] + machine.lanes - 1) / machine.lanes;
  shape.products = products_of(op);
  shape.rounds = rounds_operands(op);
  shape.comes = true;
  return shape;
}

}  // namespace

bool streams_to_vectors(mlir::Value buffer, const Parameters& machine) {
  const GenericOp op = only_reader(buffer);
  if (!op || !is_last(op)) return false;
  const auto shape = shape_of(op, machine);
  return shape && !threshold::rows_by_columns(shape->rows) &&
         sizes::turned_on_vectors(machine, *shape);
}

}  // namespace tandem::compiler
