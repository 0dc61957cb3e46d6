// Reductions, windows and contractions: linalg.generic with reduction iterators.
#include "compiler/tensor/handlers.hpp"
#include "compiler/tensor/scalars.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

using List = llvm::SmallVector<std::int64_t>;
using Iterator = mlir::utils::IteratorType;

mlir::RankedTensorType shaped(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

// Accumulators that start from the initial scalars.
Values accumulators(Lowering& lowering, mlir::Operation* op, mlir::ValueRange initial) {
  Values result;
  for (const auto [index, value] : llvm::enumerate(initial)) {
    result.push_back(filled_tensor(lowering.builder, op->getLoc(),
                                   plain_tensor(op->getResult(index).getType()),
                                   scalar_of(lowering.builder, op->getLoc(), value)));
  }
  return result;
}

// The region gets accumulators first, then elements; linalg's body the other way round. Inputs
// beyond one an output only say how far the iterators go.
mlir::FailureOr<Values> reduced(Lowering& lowering, mlir::Operation* op, mlir::ValueRange inputs,
                                mlir::ValueRange outputs, llvm::ArrayRef<mlir::AffineMap> maps,
                                llvm::ArrayRef<Iterator> iterators) {
  const auto outer = outer_scalars(lowering, op->getRegion(0));
  if (mlir::failed(outer)) return mlir::failure();
  bool complete = true;
  const auto body = [&](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange arguments) {
    Values ordered(arguments.take_back(outputs.size()));
    ordered.append(arguments.begin(), arguments.begin() + outputs.size());
    const auto results = scalar_region(nested, op->getRegion(0), ordered, *outer);
    complete = mlir::succeeded(results);
    mlir::linalg::YieldOp::create(
        nested, loc, complete ? mlir::ValueRange(*results) : arguments.take_back(outputs.size()));
  };
  auto generic =
      mlir::linalg::GenericOp::create(lowering.builder, op->getLoc(), mlir::TypeRange(outputs),
                                      inputs, outputs, maps, iterators, body);
  if (!complete) return mlir::failure();
  return Values(generic.getResults());
}

// Elements of any value: a window only needs its shape.
mlir::Value window(Lowering& lowering, mlir::Operation* op, llvm::ArrayRef<std::int64_t> sizes) {
  return empty_tensor(lowering.builder, op->getLoc(),
                      mlir::RankedTensorType::get(sizes, lowering.builder.getF32Type()));
}

}  // namespace

mlir::FailureOr<Values> lower_reduce(Lowering& lowering, mlir::Operation* op) {
  const auto dimensions = integers(op, "dimensions");
  if (mlir::failed(dimensions)) return mlir::failure();
  const Values all = lowering.mapped(op->getOperands());
  const std::size_t count = all.size() / 2;
  const std::int64_t rank = shaped(all.front()).getRank();
  llvm::SmallVector<Iterator> iterators(rank, Iterator::parallel);
  for (const std::int64_t dimension : *dimensions) {
    if (dimension < 0 || dimension >= rank) return op->emitError("no such dimension");
    iterators[dimension] = Iterator::reduction;
  }
  llvm::SmallVector<mlir::AffineExpr> kept;
  for (std::int64_t i = 0; i < rank; ++i) {
    if (iterators[i] == Iterator::parallel) kept.push_back(lowering.builder.getAffineDimExpr(i));
  }
  llvm::SmallVector<mlir::AffineMap> maps(count, lowering.builder.getMultiDimIdentityMap(rank));
  maps.append(count, mlir::AffineMap::get(rank, 0, kept, lowering.builder.getContext()));
  const mlir::ValueRange values(all);
  return reduced(lowering, op, values.take_front(count),
                 accumulators(lowering, op, values.drop_front(count)), maps, iterators);
}

mlir::FailureOr<Values> lower_reduce_window(Lowering& lowering, mlir::Operation* op) {
  const auto sizes = integers(op, "window_dimensions");
  auto strides = integers(op, "window_strides");
  auto base = integers(op, "base_dilations");
  auto dilations = integers(op, "window_dilations");
  auto padding = integers(op, "padding");
  if (mlir::failed(sizes) || mlir::failed(strides) || mlir::failed(base) ||
      mlir::failed(dilations) || mlir::failed(padding)) {
    return mlir::failure();
  }
  const std::size_t rank = sizes->size();
  if (strides->empty()) strides->assign(rank, 1);
  if (base->empty()) base->assign(rank, 1);
  if (dilations->empty()) dilations->assign(rank, 1);
  if (padding->empty()) padding->assign(2 * rank, 0);
  const Values all = lowering.mapped(op->getOperands());
  const std::size_t count = all.size() / 2;
  // No window fits.
  if (shaped(op->getResult(0)).getNumElements() == 0) {
    return accumulators(lowering, op, mlir::ValueRange(all).drop_front(count));
  }
  List low;
  List high;
  List interior;
  llvm::SmallVector<mlir::AffineExpr> from;
  llvm::SmallVector<mlir::AffineExpr> windows;
  for (std::size_t i = 0; i < rank; ++i) {
    low.push_back((*padding)[2 * i]);
    high.push_back((*padding)[2 * i + 1]);
    interior.push_back((*base)[i] - 1);
    windows.push_back(lowering.builder.getAffineDimExpr(rank + i));
    from.push_back(lowering.builder.getAffineDimExpr(i) * (*strides)[i] +
                   windows.back() * (*dilations)[i]);
  }
  Values inputs;
  for (std::size_t i = 0; i < count; ++i) {
    const mlir::Value scalar = scalar_of(lowering.builder, op->getLoc(), all[count + i]);
    inputs.push_back(padded(lowering.builder, op->getLoc(), all[i], scalar, low, high, interior));
  }
  const auto map = [&](llvm::ArrayRef<mlir::AffineExpr> expressions) {
    return mlir::AffineMap::get(2 * rank, 0, expressions, lowering.builder.getContext());
  };
  // linalg knows an iterator's extent from an operand that it indexes alone.
  llvm::SmallVector<mlir::AffineMap> maps(count, map(from));
  maps.push_back(map(windows));
  llvm::SmallVector<mlir::AffineExpr> kept;
  for (std::size_t i = 0; i < rank; ++i) kept.push_back(lowering.builder.getAffineDimExpr(i));
  maps.append(count, map(kept));
  inputs.push_back(window(lowering, op, *sizes));
  llvm::SmallVector<Iterator> iterators(rank, Iterator::parallel);
  iterators.append(rank, Iterator::reduction);
  const mlir::ValueRange values(all);
  return reduced(lowering, op, inputs, accumulators(lowering, op, values.drop_front(count)), maps,
                 iterators);
}

}  // namespace tandem::compiler
