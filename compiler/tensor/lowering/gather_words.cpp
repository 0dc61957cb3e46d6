#include "compiler/tensor/lowering/gather_words.hpp"

#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/words.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using Iterator = mlir::utils::IteratorType;
using mlir::Value;

// Element i is word places[i] of the table: both have one dimension.
Value looked_up(mlir::OpBuilder& builder, mlir::Location loc, Value table, Value places) {
  const mlir::Type element = tensor_type_of(table).getElementType();
  const auto type = mlir::RankedTensorType::get(tensor_type_of(places).getShape(), element);
  const Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  const auto along = [&](unsigned loop) {
    return mlir::AffineMap::get(2, 0, builder.getAffineDimExpr(loop), builder.getContext());
  };
  return mlir::linalg::GenericOp::create(
             builder, loc, mlir::TypeRange{type}, mlir::ValueRange{table, places},
             mlir::ValueRange{filled_tensor(builder, loc, type, zero)},
             {along(1), along(0), along(0)}, {Iterator::parallel, Iterator::reduction},
             [](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
               const Value place = arith::IndexCastOp::create(
                   b, at, b.getI32Type(), mlir::linalg::IndexOp::create(b, at, 1));
               const Value is_it =
                   arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq, elements[1], place);
               mlir::linalg::YieldOp::create(
                   b, at,
                   arith::SelectOp::create(b, at, is_it, elements[0], elements[2]).getResult());
             })
      .getResult(0);
}

}  // namespace

std::optional<Value> gathered_words(mlir::OpBuilder& builder, mlir::Location loc, Value operand,
                                    Value indices, const Windows& windows,
                                    mlir::RankedTensorType type, bool unsigned_indices) {
  const mlir::RankedTensorType from = tensor_type_of(operand);
  const mlir::RankedTensorType of_indices = tensor_type_of(indices);
  const mlir::Type element = from.getElementType();
  const std::int64_t count = type.getNumElements();
  if (windows.index_map.size() != 1 || !windows.operand_batch.empty() ||
      from.getDimSize(windows.index_map.front()) != from.getNumElements() ||
      of_indices.getNumElements() != count || of_indices.getElementTypeBitWidth() > 32) {
    return std::nullopt;
  }
  const std::int64_t words = from.getNumElements();
  if (threshold::looked_up_table(words) || threshold::looked_up_words(words / count)) {
    return std::nullopt;
  }
  const auto flat_indices = mlir::RankedTensorType::get({count}, of_indices.getElementType());
  const Value places =
      parallel_generic(builder, loc, mlir::RankedTensorType::get({count}, builder.getI32Type()),
                       reshaped(builder, loc, indices, flat_indices),
                       [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
                         return nearest_place(b, at, elements.front(), words, unsigned_indices);
                       });
  const Value flat = reshaped(builder, loc, operand, mlir::RankedTensorType::get({words}, element));
  const Value found = looked_up(builder, loc, as_words(builder, loc, flat), places);
  return reshaped(builder, loc, as_elements(builder, loc, found, element), type);
}

}  // namespace tandem::compiler
