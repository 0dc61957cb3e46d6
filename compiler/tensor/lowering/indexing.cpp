// Operations whose positions are known only at run time: scalar loops around slices.
#include "compiler/tensor/lowering/gather_words.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/windows.hpp"
#include "compiler/tensor/lowering/words_of_rows.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using List = llvm::SmallVector<std::int64_t>;

// The start indices of dynamic_slice and its like, clamped.
Places starts(Lowering& lowering, mlir::Operation* op, mlir::ValueRange indices,
              llvm::ArrayRef<std::int64_t> extents, llvm::ArrayRef<std::int64_t> sizes) {
  Places result;
  mlir::OpBuilder& builder = lowering.builder;
  for (const auto [dimension, index] : llvm::enumerate(indices)) {
    if (extents[dimension] == sizes[dimension]) {
      result.push_back(builder.getIndexAttr(0));
      continue;
    }
    const mlir::Value number = scalar_of(builder, op->getLoc(), lowering.map.lookup(index));
    const mlir::Value start = as_index(builder, op->getLoc(), number, has_no_sign(index));
    result.push_back(clamped(builder, op->getLoc(), start, extents[dimension], sizes[dimension]));
  }
  return result;
}

}  // namespace

mlir::FailureOr<Values> lower_dynamic_slice(Lowering& lowering, mlir::Operation* op) {
  const auto sizes = integers(op, "slice_sizes");
  if (mlir::failed(sizes)) return mlir::failure();
  const mlir::Value source = lowering.map.lookup(op->getOperand(0));
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  if (type.getNumElements() == 0) {
    return Values{empty_tensor(lowering.builder, op->getLoc(), type)};
  }
  const Places offsets = starts(lowering, op, op->getOperands().drop_front(1),
                                tensor_type_of(source).getShape(), *sizes);
  return Values{tensor::ExtractSliceOp::create(lowering.builder, op->getLoc(), source, offsets,
                                               places(lowering.builder, *sizes),
                                               places(lowering.builder, List(sizes->size(), 1)))};
}

mlir::FailureOr<Values> lower_dynamic_update_slice(Lowering& lowering, mlir::Operation* op) {
  const mlir::Value into = lowering.map.lookup(op->getOperand(0));
  const mlir::Value update = lowering.map.lookup(op->getOperand(1));
  if (tensor_type_of(update).getNumElements() == 0) return Values{into};
  const auto sizes = tensor_type_of(update).getShape();
  const Places offsets =
      starts(lowering, op, op->getOperands().drop_front(2), tensor_type_of(into).getShape(), sizes);
  return Values{tensor::InsertSliceOp::create(lowering.builder, op->getLoc(), update, into, offsets,
                                              places(lowering.builder, sizes),
                                              places(lowering.builder, List(sizes.size(), 1)))};
}

mlir::FailureOr<Values> lower_gather(Lowering& lowering, mlir::Operation* op) {
  auto windows = windows_of(op, true);
  const auto sizes = integers(op, "slice_sizes");
  if (mlir::failed(windows) || mlir::failed(sizes)) return mlir::failure();
  const Values inputs = lowering.mapped(op->getOperands());
  windows->window = *sizes;
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const mlir::Location loc = op->getLoc();
  if (type.getNumElements() == 0) return Values{empty_tensor(lowering.builder, loc, type)};
  const auto operand = tensor_type_of(inputs[0]);
  const List visible = visible_sizes(*windows);
  const bool no_sign = has_no_sign(op->getOperand(1));
  if (const auto words =
          gathered_words(lowering.builder, loc, inputs[0], inputs[1], *windows, type, no_sign)) {
    return Values{*words};
  }
  if (const auto words = WordsOfRows::of(lowering, *windows, inputs[0], inputs[1])) {
    return Values{words->gathered(loc, inputs[0], inputs[1], type, no_sign)};
  }
  const auto turn = [&](mlir::OpBuilder& builder, mlir::ValueRange loops,
                        mlir::ValueRange carried) {
    const Values begin = window_starts(builder, loc, inputs[1], *windows, loops, no_sign);
    Places from;
    for (const auto [dimension, start] : llvm::enumerate(begin)) {
      from.push_back(
          clamped(builder, loc, start, operand.getDimSize(dimension), windows->window[dimension]));
    }
    const auto visible_type = mlir::RankedTensorType::get(visible, type.getElementType());
    const mlir::Value window = tensor::ExtractSliceOp::create(
        builder, loc, visible_type, inputs[0], from, places(builder, windows->window),
        places(builder, List(from.size(), 1)));
    Places offsets;
    Places extents;
    outer_slice(builder, *windows, type.getRank(), loops, visible, offsets, extents);
    return Values{tensor::InsertSliceOp::create(builder, loc, window, carried.front(), offsets,
                                                extents, places(builder, List(type.getRank(), 1)))};
  };
  const mlir::Value room = empty_tensor(lowering.builder, loc, type);
  return for_each_index(lowering.builder, loc, *windows, tensor_type_of(inputs[1]), room, turn);
}

}  // namespace tandem::compiler
