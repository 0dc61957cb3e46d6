#include "compiler/tpu/contraction/tile.hpp"
#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

// Where the tile begins: at a row, or, where its place is a constant, in the middle of one.
mlir::LogicalResult find_begin(mlir::OpBuilder& builder, Memory& memory, std::int64_t lanes,
                               ContractionTile& tile) {
  const auto place = memory.place_of(tile.view);
  if (mlir::failed(place)) return mlir::failure();
  if (const auto offset = mlir::getConstantIntValue(place->offset)) {
    const std::int64_t word = place->start + *offset;
    tile.lane = word % lanes;
    tile.row = {word / lanes, {}, place->buffer};
    if (tile.lane != 0) return mlir::success();
  }
  const auto row = memory.row_of(builder, tile.view);
  if (mlir::failed(row)) return mlir::failure();
  tile.row = *row;
  return mlir::success();
}

// Operand 0 is the left one, 1 the right one, 2 the result.
mlir::FailureOr<ContractionTile> contraction_tile(mlir::OpBuilder& builder, Memory& memory,
                                                  const Parameters& machine,
                                                  mlir::linalg::LinalgOp op, unsigned operand) {
  const mlir::Value buffer = op->getOperand(operand);
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  llvm::SmallVector<std::int64_t> strides;
  std::int64_t ignored = 0;
  ContractionTile tile;
  tile.view = buffer;
  if (mlir::failed(find_begin(builder, memory, machine.lanes, tile)) ||
      mlir::failed(type.getStridesAndOffset(strides, ignored))) {
    return mlir::failure();
  }
  tile.is_bytes = type.getElementType().isInteger(8);
  if (operand < 2) {
    tile.half_rows = strides[0] / machine.lanes;
    tile.chunk_rows = strides[1] / machine.lanes;
    const auto& part_of = operand == 0 ? attribute::left : attribute::right;
    if (const auto part = part_of.get(op)) tile.part = part.getValue();
  }
  tile.is_bf16 = !tile.part.empty() || type.getElementType().isBF16();
  // The strides do not show it: that of a dimension of one element is arbitrary.
  tile.by_columns = operand == 1 && attribute::by_columns.is_on(op);
  tile.pitch = strides[strides.size() - (tile.by_columns ? 1 : 2)] / machine.lanes;
  return tile;
}

}  // namespace

mlir::FailureOr<ContractionTiles> contraction_tiles(mlir::OpBuilder& builder, Memory& memory,
                                                    const Parameters& machine,
                                                    mlir::linalg::LinalgOp op) {
  ContractionTiles tiles;
  const std::array<ContractionTile*, 3> operands{&tiles.left, &tiles.right, &tiles.result};
  for (unsigned operand = 0; operand < operands.size(); ++operand) {
    const auto tile = contraction_tile(builder, memory, machine, op, operand);
    if (mlir::failed(tile)) return mlir::failure();
    *operands[operand] = *tile;
  }
  const auto ranges = op.getStaticLoopRanges();
  tiles.rows = ranges[0];
  tiles.columns = ranges[1];
  tiles.halves = ranges[2];
  tiles.chunks = ranges[3];
  tiles.depth = ranges[4];
  return tiles;
}

}  // namespace tandem::compiler
