// Buffers for the tiles, views of them, and the copies that fill them.
#include "compiler/tiled/contraction/contraction.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler::contraction {

using mlir::OpFoldResult;
using mlir::Value;

Value Contraction::room_of(mlir::OpBuilder& builder, Operand operand) const {
  if (in_place_[operand]) return {};
  const auto element =
      mlir::cast<mlir::MemRefType>(kernel_.operands[operand].buffer.getType()).getElementType();
  Sizes sizes{padded_rows(), lanes_};
  if (operand == left) sizes = {halves(left), depth_step_ / lanes_, padded_rows(), lanes_};
  if (operand == right) {
    sizes = {halves(right), lanes_, right_by_columns_ ? column_pitch() : depth_step_};
  }
  return vmem_buffer(builder, loc_, sizes, element);
}

void Contraction::in_own_rooms(mlir::OpBuilder& builder, llvm::ArrayRef<Operand> operands,
                               llvm::function_ref<void()> body) {
  const auto kept = rooms_;
  for (const Operand operand : operands) rooms_[operand] = room_of(builder, operand);
  body();
  rooms_ = kept;
}

Value Contraction::left_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                             std::int64_t chunks, std::int64_t row_count,
                             std::int64_t depth_count) {
  const Sizes sizes{halves_.size, chunks, row_count, depth_count};
  if (in_place_[left]) {
    const std::int64_t stride = row_count == 1 ? lanes_ : rows_.strides[left];
    return outside(builder, left,
                   add(builder, loc_, offsets[left], builder.getIndexAttr(first * lanes_)), sizes,
                   {halves_.strides[left], lanes_, stride, 1});
  }
  const std::int64_t padded = padded_rows();
  return tile_of(builder, left, first * padded * lanes_, sizes,
                 {half_step(left, padded), padded * lanes_, left_row_step(), 1});
}

Value Contraction::right_view(mlir::OpBuilder& builder, const Offsets& offsets, std::int64_t first,
                              std::int64_t chunks, std::int64_t column_count,
                              std::int64_t depth_count) {
  const Sizes sizes{halves_.size, chunks, depth_count, column_count};
  if (!in_place_[right] && right_by_columns_) {
    return tile_of(builder, right, first * lanes_, sizes,
                   {halves(right) == 1 ? 0 : lanes_ * column_pitch(), lanes_, 1, column_pitch()});
  }
  if (!in_place_[right]) {
    return tile_of(builder, right, first * lanes_ * lanes_, sizes,
                   {half_step(right, lanes_), lanes_ * lanes_, lanes_, 1});
  }
  // With a single row the distance between rows is arbitrary.
  const std::int64_t step = right_by_columns_ ? 1 : depth_.strides[right];
  const std::int64_t deep = !right_by_columns_ && depth_count == 1 ? lanes_ : step;
  const std::int64_t apart = column_count == 1 ? lanes_ : columns_.strides[right];
  const std::int64_t across = right_by_columns_ ? apart : 1;
  return outside(builder, right,
                 add(builder, loc_, offsets[right], builder.getIndexAttr(first * lanes_ * step)),
                 sizes, {halves_.strides[right], lanes_ * deep, deep, across});
}

void Contraction::copy_left(mlir::OpBuilder& builder, const Offsets& offsets,
                            std::int64_t row_count, std::int64_t depth_count) {
  if (in_place_[left]) return;
  const std::int64_t step = depth_.strides[left];
  const std::int64_t padded = padded_rows();
  const auto copy = [&](std::int64_t first, std::int64_t chunks, std::int64_t width) {
    if (chunks == 0 || width == 0) return;
    const OpFoldResult from =
        add(builder, loc_, offsets[left], builder.getIndexAttr(first * lanes_ * step));
    mlir::memref::CopyOp::create(
        builder, loc_,
        outside(builder, left, from, {halves(left), chunks, row_count, width},
                {halves_.strides[left], lanes_ * step, rows_.strides[left], step}),
        tile_of(builder, left, first * padded * lanes_, {halves(left), chunks, row_count, width},
                {half_step(left, padded), padded * lanes_, left_row_step(), 1}));
  };
  if (depth_in_one_piece()) return copy(0, 1, depth_count);
  copy(0, depth_count / lanes_, lanes_);
  copy(depth_count / lanes_, 1, depth_count % lanes_);
}

void Contraction::copy_right(mlir::OpBuilder& builder, const Offsets& offsets,
                             std::int64_t column_count, std::int64_t depth_count) {
  if (in_place_[right]) return;
  if (right_by_columns_) {
    const Sizes sizes{halves(right), column_count, depth_count};
    mlir::memref::CopyOp::create(
        builder, loc_,
        outside(builder, right, offsets[right], sizes,
                {halves_.strides[right], columns_.strides[right], depth_.strides[right]}),
        tile_of(builder, right, 0, sizes, {lanes_ * column_pitch(), column_pitch(), 1}));
    return;
  }
  mlir::memref::CopyOp::create(
      builder, loc_,
      outside(builder, right, offsets[right], {halves(right), depth_count, column_count},
              {halves_.strides[right], depth_.strides[right], columns_.strides[right]}),
      tile_of(builder, right, 0, {halves(right), depth_count, column_count},
              {half_step(right, lanes_), lanes_, 1}));
}

void Contraction::clear(mlir::OpBuilder& builder, std::int64_t row_count) {
  const auto type = mlir::cast<mlir::MemRefType>(rooms_[result].getType()).getElementType();
  const Value zero = mlir::arith::ConstantOp::create(builder, loc_, builder.getZeroAttr(type));
  const Value flat = tile_of(builder, result, 0, {row_count * lanes_}, {1});
  mlir::linalg::GenericOp::create(
      builder, loc_, mlir::ValueRange{}, mlir::ValueRange{flat},
      {builder.getMultiDimIdentityMap(1)}, {mlir::utils::IteratorType::parallel},
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange) {
        mlir::linalg::YieldOp::create(nested, at, zero);
      });
}

}  // namespace tandem::compiler::contraction
