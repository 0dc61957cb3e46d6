#include "compiler/tensor/tables/rows.hpp"

#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using List = llvm::SmallVector<std::int64_t>;
using mlir::Value;

// All dimensions as one.
llvm::SmallVector<mlir::ReassociationIndices> as_one(std::int64_t rank) {
  return {llvm::to_vector(llvm::seq<std::int64_t>(0, rank))};
}

// Dimension i of the result is dimension order[i] of the operand.
Value turned(mlir::OpBuilder& builder, mlir::Location loc, Value value,
             llvm::ArrayRef<unsigned> order) {
  List shape;
  llvm::SmallVector<mlir::AffineExpr> from(order.size());
  for (const auto [index, source] : llvm::enumerate(order)) {
    shape.push_back(tensor_type_of(value).getDimSize(source));
    from[source] = builder.getAffineDimExpr(static_cast<unsigned>(index));
  }
  const auto type = mlir::RankedTensorType::get(shape, tensor_type_of(value).getElementType());
  const auto map =
      mlir::AffineMap::get(static_cast<unsigned>(order.size()), 0, from, builder.getContext());
  return parallel_generic(
      builder, loc, type, value, map,
      [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange elements) { return elements.front(); });
}

Value read_only(mlir::OpBuilder& builder, mlir::Location loc, Value tensor) {
  const mlir::RankedTensorType type = tensor_type_of(tensor);
  return mlir::bufferization::ToBufferOp::create(
      builder, loc, mlir::MemRefType::get(type.getShape(), type.getElementType()), tensor,
      /*read_only=*/true);
}

}  // namespace

Value with_shape(mlir::OpBuilder& builder, mlir::Location loc, Value value,
                 llvm::ArrayRef<std::int64_t> shape) {
  const mlir::RankedTensorType from = tensor_type_of(value);
  if (from.getShape() == shape) return value;
  const mlir::Type element = from.getElementType();
  const auto flat = mlir::RankedTensorType::get({from.getNumElements()}, element);
  if (from.getRank() > 1) {
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value, as_one(from.getRank()));
  }
  if (shape.size() == 1) return value;
  return tensor::ExpandShapeOp::create(builder, loc, mlir::RankedTensorType::get(shape, element),
                                       value, as_one(static_cast<std::int64_t>(shape.size())));
}

Value in_first_places(mlir::OpBuilder& builder, mlir::Location loc, Value value,
                      mlir::RankedTensorType type, unsigned dimension) {
  List first(type.getShape());
  first[dimension] =
      tensor_type_of(value).getNumElements() * first[dimension] / type.getNumElements();
  value = with_shape(builder, loc, value, first);
  if (first == List(type.getShape())) return value;
  const auto fold = [&](llvm::ArrayRef<std::int64_t> list) {
    return mlir::getAsIndexOpFoldResult(builder.getContext(), list);
  };
  return tensor::InsertSliceOp::create(builder, loc, value, empty_tensor(builder, loc, type),
                                       fold(List(first.size(), 0)), fold(first),
                                       fold(List(first.size(), 1)));
}

Value TableShape::number_of(mlir::OpBuilder& builder, mlir::Location loc, Value column) const {
  namespace arith = mlir::arith;
  const auto word = [&](std::int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), value);
  };
  if (across) return arith::AndIOp::create(builder, loc, column, word(columns - 1));
  return arith::DivUIOp::create(builder, loc, column, word(width));
}

std::int64_t TableShape::table_rows() const {
  return rows <= 8 ? rows : static_cast<std::int64_t>(llvm::PowerOf2Ceil(rows));
}

TableShape TableShape::of(std::int64_t elements, std::int64_t width) {
  constexpr std::int64_t vector = 128;  // lanes of the widest machine
  constexpr std::int64_t least = 8;     // a transposed table's rows: a group
  const auto padded = static_cast<std::int64_t>(llvm::PowerOf2Ceil(elements));
  if (threshold::wide_table(width) || padded < least * least) return {1, elements, 1, width};
  auto columns = static_cast<std::int64_t>(llvm::PowerOf2Ceil((vector + width - 1) / width));
  while (columns * columns > padded) columns /= 2;
  columns = std::max(columns, least);
  return {1, padded / columns, columns, width};
}

TableRows::TableRows(llvm::ArrayRef<std::int64_t> shape, unsigned dimension, Dealt dealt)
    : elements_(shape[dimension]), dimension_(dimension) {
  for (const std::int64_t size : shape.take_front(dimension)) outer_ *= size;
  for (const std::int64_t size : shape.drop_front(dimension + 1)) inner_ *= size;
  shape_ = dealt(elements_, outer_ * inner_);
  // Tables of few groups do not fill eight rows with the same row of each: several batches do.
  constexpr std::int64_t widest = 128;
  const std::int64_t count = outer_ * inner_;
  if (shape_.columns != 1 || (outer_ != 1 && inner_ != 1)) return;
  if (threshold::batched_table(elements_)) return;
  for (std::int64_t width = widest; width >= widest / 8; width /= 2) {
    if (count % width != 0 || count == width) continue;
    shape_.batches = count / width;
    shape_.width = width;
    return;
  }
}

Value TableRows::arranged(Lowering& lowering, mlir::Location loc, Value tensor,
                          Value beyond) const {
  if (is_plain_turn()) return turned_buffer(lowering, loc, tensor);
  return read_only(lowering.builder, loc, as_tensor(lowering.builder, loc, tensor, beyond));
}

Value TableRows::turned_buffer(Lowering& lowering, mlir::Location loc, Value tensor) const {
  mlir::OpBuilder& builder = lowering.builder;
  const List from{shape_.batches, shape_.width, elements_};
  const Value source = read_only(builder, loc, with_shape(builder, loc, tensor, from));
  const mlir::Type element = tensor_type_of(tensor).getElementType();
  const Value target =
      narrow_buffer(lowering, loc, {shape_.batches, elements_, shape_.width}, element);
  const auto loop = [&](unsigned number) { return builder.getAffineDimExpr(number); };
  const auto turn = mlir::AffineMap::get(3, 0, {loop(0), loop(2), loop(1)}, builder.getContext());
  on_buffers(builder, loc, source, target, {turn, builder.getMultiDimIdentityMap(3)},
             [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange values) {
               return Values{values.front()};
             });
  return target;
}

Value TableRows::as_tensor(mlir::OpBuilder& builder, mlir::Location loc, Value tensor,
                           Value beyond) const {
  Value value = tensor;
  if (shape_.columns != 1) {
    value = with_shape(builder, loc, value, {outer_, elements_, inner_});
    const std::int64_t more = shape_.elements() - elements_;
    if (more != 0) {
      value = padded(builder, loc, value, beyond, {0, 0, 0}, {0, more, 0}, {0, 0, 0});
    }
    if (shape_.across) {
      value = with_shape(builder, loc, value, {outer_, shape_.rows, shape_.columns, inner_});
      if (shape_.width != 1) value = turned(builder, loc, value, {1, 0, 3, 2});
    } else {
      value = with_shape(builder, loc, value, {outer_, shape_.columns, shape_.rows, inner_});
      value = turned(builder, loc, value, {2, 1, 0, 3});
    }
  } else if (shape_.batches != 1) {
    value = with_shape(builder, loc, value, {elements_, shape_.batches, shape_.width});
    value = turned(builder, loc, value, {1, 0, 2});
  } else if (outer_ != 1) {
    value = with_shape(builder, loc, value, {outer_, elements_, inner_});
    value = turned(builder, loc, value, {1, 0, 2});
  }
  const List shape{shape_.batches, shape_.rows, shape_.columns * shape_.width};
  return with_shape(builder, loc, value, shape);
}

Value TableRows::from_buffer(mlir::OpBuilder& builder, mlir::Location loc, Value buffer,
                             mlir::RankedTensorType type, std::int64_t wanted) const {
  const auto memory = mlir::cast<mlir::MemRefType>(buffer.getType());
  Value value = mlir::bufferization::ToTensorOp::create(
      builder, loc, mlir::RankedTensorType::get(memory.getShape(), memory.getElementType()), buffer,
      /*restrict=*/true, /*writable=*/true);
  const std::int64_t rows = memory.getDimSize(1);
  const std::int64_t columns = memory.getDimSize(2) / shape_.width;
  if (columns != 1 && shape_.across) {
    value = with_shape(builder, loc, value, {rows, outer_, inner_, columns});
    value = turned(builder, loc, value, {1, 3, 0, 2});
  } else if (columns != 1) {
    value = with_shape(builder, loc, value, {rows, columns, outer_, inner_});
    value = turned(builder, loc, value, {2, 1, 0, 3});
    value = with_shape(builder, loc, value, {outer_, columns * rows, inner_});
  } else if (inner_ == 1) {
    value = turned(builder, loc, value, {0, 2, 1});
  } else if (shape_.batches != 1) {
    value = turned(builder, loc, value, {1, 0, 2});
  } else if (outer_ != 1) {
    value = with_shape(builder, loc, value, {rows, outer_, inner_});
    value = turned(builder, loc, value, {1, 0, 2});
  }
  const std::int64_t here = columns * rows;
  value = with_shape(builder, loc, value, {outer_, here, inner_});
  const auto fold = [&](llvm::ArrayRef<std::int64_t> list) {
    return mlir::getAsIndexOpFoldResult(builder.getContext(), list);
  };
  if (here != wanted) {
    value = tensor::ExtractSliceOp::create(builder, loc, value, fold({0, 0, 0}),
                                           fold({outer_, wanted, inner_}), fold({1, 1, 1}));
  }
  return in_first_places(builder, loc, value, type, dimension_);
}

}  // namespace tandem::compiler
