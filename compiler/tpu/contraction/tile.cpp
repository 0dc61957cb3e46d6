#include "compiler/tpu/contraction/tile.hpp"

namespace tandem::compiler {
namespace {

// Operand 0 is the left one, 1 the right one, 2 the result.
mlir::FailureOr<ContractionTile> contraction_tile(mlir::OpBuilder& builder, Memory& memory,
                                                  const Parameters& machine,
                                                  mlir::linalg::LinalgOp op, unsigned operand) {
  constexpr std::array<llvm::StringLiteral, 2> parts{"tandem.left", "tandem.right"};
  const mlir::Value buffer = op->getOperand(operand);
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  llvm::SmallVector<std::int64_t> strides;
  std::int64_t ignored = 0;
  const auto row = memory.row_of(builder, buffer);
  if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) {
    return mlir::failure();
  }
  ContractionTile tile;
  tile.row = *row;
  tile.is_bytes = type.getElementType().isInteger(8);
  if (operand < 2) {
    tile.half_rows = strides[0] / machine.lanes;
    tile.chunk_rows = strides[1] / machine.lanes;
    if (const auto part = op->getAttrOfType<mlir::StringAttr>(parts[operand])) {
      tile.part = part.getValue();
    }
  }
  tile.is_bf16 = !tile.part.empty() || type.getElementType().isBF16();
  // Not to be told from the strides: that of a dimension of one element may be anything.
  tile.by_columns = operand == 1 && op->hasAttr("tandem.by_columns");
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
