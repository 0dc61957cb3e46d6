#include "compiler/tensor/lowering/words_of_rows.hpp"

#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/words.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace tensor = mlir::tensor;
using Iterator = mlir::utils::IteratorType;
using mlir::Value;

// Whether the tensor is in an argument of the program, from where it would be copied as a whole.
bool is_argument(Value value) {
  while (mlir::Operation* op = value.getDefiningOp()) {
    if (mlir::isa<mlir::bufferization::ToTensorOp>(op)) return true;
    if (!mlir::isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) return false;
    value = op->getOperand(0);
  }
  return true;
}

bool is_too_long(Value operand, std::int64_t extent, std::int64_t lanes) {
  const std::int64_t chunks = (extent + lanes - 1) / lanes;
  return is_argument(operand) ? threshold::word_of_argument_row(chunks)
                              : threshold::word_of_row(chunks);
}

// Whether index vectors belong to rows in the order of both.
bool is_one_each(const Windows& windows, mlir::RankedTensorType operand,
                 mlir::RankedTensorType indices) {
  std::int64_t rows = 1;
  for (std::int64_t i = 0; i < operand.getRank(); ++i) {
    if (windows.window[i] != 1) return false;
    if (i == windows.index_map.front()) continue;
    const bool is_batch = llvm::is_contained(windows.operand_batch, i);
    if (!is_batch && operand.getDimSize(i) != 1) return false;
    rows *= operand.getDimSize(i);
  }
  return rows > 1 && rows == indices.getNumElements() && llvm::is_sorted(windows.operand_batch) &&
         llvm::is_sorted(windows.indices_batch);
}

}  // namespace

std::optional<WordsOfRows> WordsOfRows::of(Lowering& lowering, const Windows& windows,
                                           Value operand, Value indices) {
  const mlir::RankedTensorType type = tensor_type_of(operand);
  if (windows.index_map.size() != 1 || windows.operand_batch.empty() ||
      type.getElementTypeBitWidth() > 32 || tensor_type_of(indices).getElementTypeBitWidth() > 32) {
    return std::nullopt;
  }
  const std::int64_t along = windows.index_map.front();
  if (!is_one_each(windows, type, tensor_type_of(indices)) ||
      is_too_long(operand, type.getDimSize(along), lowering.machine.lanes)) {
    return std::nullopt;
  }
  WordsOfRows result(lowering.builder);
  for (std::int64_t i = 0; i < type.getRank(); ++i) {
    if (i != along && type.getDimSize(i) == 1) continue;
    if (i == along) result.along_ = static_cast<unsigned>(result.shape_.size());
    if (i != along) result.rows_.push_back(type.getDimSize(i));
    result.shape_.push_back(type.getDimSize(i));
  }
  return result;
}

mlir::AffineMap WordsOfRows::of_element() const {
  return builder_.getMultiDimIdentityMap(static_cast<unsigned>(shape_.size()));
}

mlir::AffineMap WordsOfRows::of_row() const { return of_element().dropResult(along_); }

Value WordsOfRows::with_rows(mlir::Location loc, Value tensor) const {
  return reshaped(builder_, loc, tensor, tensor_type_of(tensor).clone(shape_));
}

Value WordsOfRows::one_each(mlir::Location loc, Value tensor) const {
  return reshaped(builder_, loc, tensor, tensor_type_of(tensor).clone(rows_));
}

// The number of the position in its row.
Value WordsOfRows::place(mlir::OpBuilder& builder, mlir::Location loc) const {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                    mlir::linalg::IndexOp::create(builder, loc, along_));
}

Value WordsOfRows::gathered(mlir::Location loc, Value operand, Value indices,
                            mlir::RankedTensorType type, bool unsigned_indices) const {
  const Value places = parallel_generic(
      builder_, loc, mlir::RankedTensorType::get(rows_, builder_.getI32Type()),
      one_each(loc, indices), [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange index) {
        return nearest_place(b, at, index.front(), shape_[along_], unsigned_indices);
      });
  llvm::SmallVector<Iterator> iterators(shape_.size(), Iterator::parallel);
  iterators[along_] = Iterator::reduction;
  const Value found = elements_at(builder_, loc, with_rows(loc, operand), places, rows_,
                                  {{of_element(), of_row(), of_row()}, iterators, along_});
  return reshaped(builder_, loc, found, type);
}

Value WordsOfRows::scattered(mlir::Location loc, mlir::ValueRange operands, Value indices,
                             mlir::ValueRange updates, std::size_t number, bool unsigned_indices,
                             Body combine) const {
  Values inputs;
  llvm::SmallVector<mlir::AffineMap> maps;
  for (const Value operand : operands) {
    inputs.push_back(with_rows(loc, operand));
    maps.push_back(of_element());
  }
  for (const Value update : updates) {
    inputs.push_back(one_each(loc, update));
    maps.push_back(of_row());
  }
  inputs.push_back(one_each(loc, indices));
  maps.push_back(of_row());
  const auto type = tensor_type_of(operands[number]);
  const Value result =
      parallel_generic(builder_, loc, type.clone(shape_), inputs, maps,
                       [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange given) -> Value {
                         // An unsigned index is beyond every end where this is less than zero.
                         const Value index = extended(b, at, given.back(), unsigned_indices);
                         const Value is_it = arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq,
                                                                   place(b, at), index);
                         return arith::SelectOp::create(
                             b, at, is_it, combine(b, at, given.drop_back()), given[number]);
                       });
  return reshaped(builder_, loc, result, type);
}

}  // namespace tandem::compiler
