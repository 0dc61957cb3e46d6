// Operations that only move elements. All become maps, slices or reshapes, without computation.
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

using List = llvm::SmallVector<std::int64_t>;
namespace tensor = mlir::tensor;

mlir::Value forward_element(mlir::OpBuilder&, mlir::Location, mlir::ValueRange elements) {
  return elements.front();
}

mlir::Value moved(Lowering& lowering, mlir::Operation* op, llvm::ArrayRef<mlir::AffineExpr> from) {
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const mlir::AffineMap map =
      mlir::AffineMap::get(type.getRank(), 0, from, lowering.builder.getContext());
  return parallel_generic(lowering.builder, op->getLoc(), type, lowering.mapped(op->getOperand(0)),
                          map, forward_element);
}

llvm::SmallVector<mlir::OpFoldResult> fold_results(mlir::OpBuilder& builder,
                                                   llvm::ArrayRef<std::int64_t> values) {
  return mlir::getAsIndexOpFoldResult(builder.getContext(), values);
}

mlir::Value inserted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value source,
                     mlir::Value into, llvm::ArrayRef<std::int64_t> offsets,
                     llvm::ArrayRef<std::int64_t> strides) {
  return tensor::InsertSliceOp::create(builder, loc, source, into, fold_results(builder, offsets),
                                       fold_results(builder, tensor_type_of(source).getShape()),
                                       fold_results(builder, strides));
}

mlir::Value extracted(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value source,
                      llvm::ArrayRef<std::int64_t> offsets, llvm::ArrayRef<std::int64_t> sizes,
                      llvm::ArrayRef<std::int64_t> strides) {
  return tensor::ExtractSliceOp::create(builder, loc, source, fold_results(builder, offsets),
                                        fold_results(builder, sizes),
                                        fold_results(builder, strides));
}

// Whether only dimensions of one element are added to the operand's.
bool adds_units_only(mlir::RankedTensorType from, mlir::RankedTensorType to,
                     llvm::ArrayRef<std::int64_t> dimensions) {
  return from.getRank() > 0 && from.getNumElements() == to.getNumElements() &&
         llvm::is_sorted(dimensions);
}

// Whether all readers are products: these can use a reshaped operand directly, but read the result
// of an operation from memory. Other readers fuse such operations.
bool is_for_products(mlir::Operation* op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [](mlir::Operation* user) {
    const llvm::StringRef name = user->getName().getStringRef();
    return name == "stablehlo.dot_general" ||
           (name == "stablehlo.reshape" && is_for_products(user));
  });
}

}  // namespace

mlir::FailureOr<Values> lower_broadcast(Lowering& lowering, mlir::Operation* op) {
  const auto dimensions = integers(op, "broadcast_dimensions");
  if (mlir::failed(dimensions)) return mlir::failure();
  const mlir::RankedTensorType from = tensor_type_of(op->getOperand(0));
  const mlir::RankedTensorType to = tensor_type_of(op->getResult(0));
  if (static_cast<std::int64_t>(dimensions->size()) != from.getRank()) {
    return op->emitError("broadcast_dimensions do not fit the operand");
  }
  llvm::SmallVector<mlir::AffineExpr> expressions;
  for (const auto [index, dimension] : llvm::enumerate(*dimensions)) {
    if (dimension < 0 || dimension >= to.getRank()) return op->emitError("no such dimension");
    const bool repeated = from.getDimSize(index) == 1 && to.getDimSize(dimension) != 1;
    expressions.push_back(repeated ? lowering.builder.getAffineConstantExpr(0)
                                   : lowering.builder.getAffineDimExpr(dimension));
  }
  if (adds_units_only(from, to, *dimensions) && is_for_products(op)) {
    return lower_reshape(lowering, op);
  }
  return Values{moved(lowering, op, expressions)};
}

mlir::FailureOr<Values> lower_transpose(Lowering& lowering, mlir::Operation* op) {
  const auto permutation = integers(op, "permutation");
  if (mlir::failed(permutation)) return mlir::failure();
  llvm::SmallVector<mlir::AffineExpr> expressions(permutation->size());
  for (const auto [index, source] : llvm::enumerate(*permutation)) {
    if (source < 0 || source >= static_cast<std::int64_t>(permutation->size())) {
      return op->emitError("permutation names a dimension that does not exist");
    }
    expressions[source] = lowering.builder.getAffineDimExpr(index);
  }
  return Values{moved(lowering, op, expressions)};
}

mlir::FailureOr<Values> lower_reverse(Lowering& lowering, mlir::Operation* op) {
  const auto dimensions = integers(op, "dimensions");
  if (mlir::failed(dimensions)) return mlir::failure();
  llvm::SmallVector<mlir::AffineExpr> expressions;
  const mlir::RankedTensorType type = tensor_type_of(op->getResult(0));
  for (std::int64_t i = 0; i < type.getRank(); ++i) {
    const mlir::AffineExpr straight = lowering.builder.getAffineDimExpr(i);
    const bool reversed = llvm::is_contained(*dimensions, i);
    expressions.push_back(reversed ? type.getDimSize(i) - 1 - straight : straight);
  }
  if (type.getNumElements() == 0) return lowering.mapped(op->getOperands());
  return Values{moved(lowering, op, expressions)};
}

mlir::FailureOr<Values> lower_reshape(Lowering& lowering, mlir::Operation* op) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::Location loc = op->getLoc();
  mlir::Value value = lowering.map.lookup(op->getOperand(0));
  const mlir::RankedTensorType to = plain_tensor(op->getResult(0).getType());
  const mlir::RankedTensorType from = tensor_type_of(value);
  if (from == to) return Values{value};
  if (to.getNumElements() == 0) return Values{empty_tensor(builder, loc, to)};
  const auto flat = mlir::RankedTensorType::get({to.getNumElements()}, to.getElementType());
  const auto all_of = [](std::int64_t rank) {
    llvm::SmallVector<mlir::ReassociationIndices> one;
    if (rank > 0) one.emplace_back(llvm::to_vector(llvm::seq<std::int64_t>(0, rank)));
    return one;
  };
  if (from.getRank() == 0) {
    value = tensor::ExpandShapeOp::create(builder, loc, flat, value, all_of(0));
  } else if (from.getRank() > 1) {
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value, all_of(from.getRank()));
  }
  if (to.getRank() == 0) {
    value = tensor::CollapseShapeOp::create(builder, loc, to, value, all_of(0));
  } else if (to.getRank() > 1) {
    value = tensor::ExpandShapeOp::create(builder, loc, to, value, all_of(to.getRank()));
  }
  return Values{value};
}

mlir::FailureOr<Values> lower_slice(Lowering& lowering, mlir::Operation* op) {
  const auto starts = integers(op, "start_indices");
  const auto strides = integers(op, "strides");
  if (mlir::failed(starts) || mlir::failed(strides)) return mlir::failure();
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  const mlir::RankedTensorType from = tensor_type_of(op->getOperand(0));
  // Nothing, perhaps just after the last element.
  if (type.getNumElements() == 0) {
    return Values{empty_tensor(lowering.builder, op->getLoc(), type)};
  }
  for (std::int64_t i = 0; i < type.getRank(); ++i) {
    const std::int64_t size = type.getDimSize(i);
    const std::int64_t last = (*starts)[i] + (size - 1) * (*strides)[i];
    if ((*starts)[i] < 0 || (size > 0 && last >= from.getDimSize(i))) {
      return op->emitError("slice reaches outside of its operand");
    }
  }
  return Values{extracted(lowering.builder, op->getLoc(), lowering.map.lookup(op->getOperand(0)),
                          *starts, type.getShape(), *strides)};
}

mlir::Value padded(mlir::OpBuilder& builder, mlir::Location loc, mlir::Value source,
                   mlir::Value scalar, llvm::ArrayRef<std::int64_t> low,
                   llvm::ArrayRef<std::int64_t> high, llvm::ArrayRef<std::int64_t> interior) {
  const mlir::RankedTensorType from = tensor_type_of(source);
  const std::int64_t rank = from.getRank();
  List sizes(rank);
  List start(rank);   // of the source, where an edge is cut
  List kept(rank);    // elements of the source that stay
  List offset(rank);  // of the first of them in the result
  List step(rank);
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t size = from.getDimSize(i);
    step[i] = interior[i] + 1;
    const std::int64_t spread = size == 0 ? 0 : (size - 1) * step[i] + 1;
    sizes[i] = std::max<std::int64_t>(0, spread + low[i] + high[i]);
    start[i] = low[i] < 0 ? (-low[i] + step[i] - 1) / step[i] : 0;
    offset[i] = low[i] + start[i] * step[i];
    const std::int64_t room = (sizes[i] - offset[i] + step[i] - 1) / step[i];
    kept[i] = std::max<std::int64_t>(0, std::min(size - start[i], room));
  }
  const auto type = mlir::RankedTensorType::get(sizes, from.getElementType());
  const mlir::Value filled = filled_tensor(builder, loc, type, scalar);
  if (llvm::is_contained(kept, 0)) return filled;
  const mlir::Value part = extracted(builder, loc, source, start, kept, List(rank, 1));
  return inserted(builder, loc, part, filled, offset, step);
}

mlir::FailureOr<Values> lower_pad(Lowering& lowering, mlir::Operation* op) {
  const auto low = integers(op, "edge_padding_low");
  const auto high = integers(op, "edge_padding_high");
  const auto interior = integers(op, "interior_padding");
  if (mlir::failed(low) || mlir::failed(high) || mlir::failed(interior)) return mlir::failure();
  const Values inputs = lowering.mapped(op->getOperands());
  const mlir::Value scalar = scalar_of(lowering.builder, op->getLoc(), inputs[1]);
  return Values{padded(lowering.builder, op->getLoc(), inputs[0], scalar, *low, *high, *interior)};
}

mlir::FailureOr<Values> lower_concatenate(Lowering& lowering, mlir::Operation* op) {
  const auto dimension = integer(op, "dimension");
  if (mlir::failed(dimension)) return mlir::failure();
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  if (*dimension < 0 || *dimension >= type.getRank()) return op->emitError("no such dimension");
  mlir::Value result = empty_tensor(lowering.builder, op->getLoc(), type);
  if (type.getNumElements() == 0) return Values{result};
  List offsets(type.getRank(), 0);
  for (const mlir::Value part : lowering.mapped(op->getOperands())) {
    const std::int64_t size = tensor_type_of(part).getDimSize(*dimension);
    if (size != 0) {
      result =
          inserted(lowering.builder, op->getLoc(), part, result, offsets, List(type.getRank(), 1));
    }
    offsets[*dimension] += size;
  }
  return Values{result};
}

}  // namespace tandem::compiler
