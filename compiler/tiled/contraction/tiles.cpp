// Room for the tiles, views of them, and the copies that fill them.
#include "compiler/tiled/contraction/contraction.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler::contraction {

using mlir::OpFoldResult;
using mlir::Value;

void Contraction::make_room(mlir::OpBuilder& builder) {
  const auto element = [&](Operand operand) {
    return mlir::cast<mlir::MemRefType>(kernel_.operands[operand].buffer.getType())
        .getElementType();
  };
  const std::int64_t chunks = depth_step_ / lanes_;
  const std::int64_t padded = padded_rows();
  const auto room = [&](Operand operand, llvm::ArrayRef<std::int64_t> sizes) {
    if (!in_place_[operand]) {
      rooms_[operand] = vmem_buffer(builder, loc_, sizes, element(operand));
    }
  };
  room(left, {halves(left), chunks, padded, lanes_});
  room(right, {halves(right), chunks, lanes_, lanes_});
  room(result, {padded, lanes_});
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
  if (!in_place_[right]) {
    return tile_of(builder, right, first * lanes_ * lanes_, sizes,
                   {half_step(right, lanes_), lanes_ * lanes_, right_by_columns_ ? 1 : lanes_,
                    right_by_columns_ ? lanes_ : 1});
  }
  // The distance of one row to itself may be anything.
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
  if (on_vectors_) return copy(0, 1, depth_count);
  copy(0, depth_count / lanes_, lanes_);
  copy(depth_count / lanes_, 1, depth_count % lanes_);
}

void Contraction::copy_right(mlir::OpBuilder& builder, const Offsets& offsets,
                             std::int64_t column_count, std::int64_t depth_count) {
  if (in_place_[right]) return;
  if (right_by_columns_) return copy_right_columns(builder, offsets, column_count, depth_count);
  mlir::memref::CopyOp::create(
      builder, loc_,
      outside(builder, right, offsets[right], {halves(right), depth_count, column_count},
              {halves_.strides[right], depth_.strides[right], columns_.strides[right]}),
      tile_of(builder, right, 0, {halves(right), depth_count, column_count},
              {half_step(right, lanes_), lanes_, 1}));
}

// Each column in pieces, one for each chunk.
void Contraction::copy_right_columns(mlir::OpBuilder& builder, const Offsets& offsets,
                                     std::int64_t column_count, std::int64_t depth_count) {
  const auto copy = [&](std::int64_t first, std::int64_t chunks, std::int64_t width) {
    if (chunks == 0 || width == 0) return;
    const Sizes sizes{halves(right), chunks, column_count, width};
    const std::int64_t step = depth_.strides[right];
    mlir::memref::CopyOp::create(
        builder, loc_,
        outside(builder, right,
                add(builder, loc_, offsets[right], builder.getIndexAttr(first * lanes_ * step)),
                sizes, {halves_.strides[right], lanes_ * step, columns_.strides[right], step}),
        tile_of(builder, right, first * lanes_ * lanes_, sizes,
                {half_step(right, lanes_), lanes_ * lanes_, lanes_, 1}));
  };
  copy(0, depth_count / lanes_, lanes_);
  copy(depth_count / lanes_, 1, depth_count % lanes_);
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
