// Reductions, windows and contractions: linalg.generic with reduction iterators.
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "compiler/tensor/reshaped.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

using List = llvm::SmallVector<std::int64_t>;
using Iterator = mlir::utils::IteratorType;

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

// The region gets accumulators first, then elements; linalg's body has the reverse order. Inputs
// beyond one per output only define the extents of the iterators.
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

// Over a single element: each element is combined once with the initial scalars.
mlir::FailureOr<Values> met_once(Lowering& lowering, mlir::Operation* op, mlir::ValueRange inputs,
                                 mlir::ValueRange initial) {
  const auto outer = outer_scalars(lowering, op->getRegion(0));
  if (mlir::failed(outer)) return mlir::failure();
  mlir::OpBuilder& builder = lowering.builder;
  Values scalars;
  Values outputs;
  for (const auto [input, start] : llvm::zip(inputs, initial)) {
    scalars.push_back(scalar_of(builder, op->getLoc(), start));
    outputs.push_back(empty_tensor(builder, op->getLoc(), tensor_type_of(input)));
  }
  const auto rank = static_cast<unsigned>(tensor_type_of(inputs.front()).getRank());
  const llvm::SmallVector<mlir::AffineMap> maps(2 * inputs.size(),
                                                builder.getMultiDimIdentityMap(rank));
  const llvm::SmallVector<Iterator> iterators(rank, Iterator::parallel);
  bool complete = true;
  const auto body = [&](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange arguments) {
    Values ordered(scalars);
    ordered.append(arguments.begin(), arguments.begin() + inputs.size());
    const auto results = scalar_region(nested, op->getRegion(0), ordered, *outer);
    complete = mlir::succeeded(results);
    mlir::linalg::YieldOp::create(
        nested, loc, complete ? mlir::ValueRange(*results) : arguments.take_back(outputs.size()));
  };
  auto generic = mlir::linalg::GenericOp::create(builder, op->getLoc(),
                                                 mlir::TypeRange(mlir::ValueRange(outputs)), inputs,
                                                 outputs, maps, iterators, body);
  if (!complete) return mlir::failure();
  return Values(generic.getResults());
}

// Whether each result depends on one element only.
bool is_of_one_element(mlir::RankedTensorType type, llvm::ArrayRef<std::int64_t> dimensions) {
  return type.getNumElements() != 0 &&
         llvm::all_of(dimensions, [&](std::int64_t i) { return type.getDimSize(i) == 1; });
}

// Several values reduced together over the only dimension would go through the vector unit one
// element after the other. So its elements are distributed to a row of accumulators, which are then
// reduced in the same way: the accumulators' initial values are neutral, and the order is free. An
// iteration costs the same for one element and for a vector, and waits for the one before, so
// iterations should be few.
struct Dealt {
  std::int64_t turns = 0;
  std::int64_t row = 0;  // of accumulators; 0: not worth it
};

Dealt dealt(mlir::RankedTensorType type, std::int64_t dimension) {
  constexpr std::int64_t few_turns = 8;
  constexpr std::int64_t most_row = 512;  // larger ones only take memory
  const std::int64_t size = type.getShape()[static_cast<std::size_t>(dimension)];
  if (type.getNumElements() != size || !threshold::dealt_reduction(size)) return {};
  Dealt best;
  for (std::int64_t row = 8; row <= std::min(most_row, size / few_turns); row *= 2) {
    if (size % row == 0) best = {size / row, row};
  }
  return best;
}

// Whether it may search the position of an extreme among floats: of several NaNs the first one
// counts, so the order is not free. tensor/passes/split_argmax.cpp makes two reductions of it.
bool may_find_place_of_nan(mlir::Operation* op, std::size_t count) {
  const mlir::ValueRange inputs = op->getOperands().take_front(count);
  const auto counts = [](mlir::Value input) {
    mlir::Operation* made = input.getDefiningOp();
    return made != nullptr && made->getName().getStringRef() == "stablehlo.iota";
  };
  const auto is_float = [](mlir::Value input) {
    return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(input.getType()));
  };
  return llvm::any_of(inputs, counts) && llvm::any_of(inputs, is_float);
}

// One dimension in several steps.
mlir::FailureOr<Values> reduced_in_steps(Lowering& lowering, mlir::Operation* op,
                                         mlir::ValueRange values, mlir::ValueRange initial,
                                         std::int64_t dimension, Dealt steps) {
  mlir::OpBuilder& builder = lowering.builder;
  const std::int64_t rank = tensor_type_of(values.front()).getRank();
  llvm::SmallVector<mlir::ReassociationIndices> groups(rank);
  List apart;
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t size =
        tensor_type_of(values.front()).getShape()[static_cast<std::size_t>(i)];
    groups[i].push_back(static_cast<std::int64_t>(apart.size()));
    apart.push_back(i == dimension ? steps.turns : size);
    if (i != dimension) continue;
    groups[i].push_back(static_cast<std::int64_t>(apart.size()));
    apart.push_back(steps.row);
  }
  List row(apart);
  row.erase(row.begin() + dimension);
  Values inputs;
  Values rows;
  for (const auto [value, start] : llvm::zip(values, initial)) {
    const mlir::Type element = tensor_type_of(value).getElementType();
    inputs.push_back(mlir::tensor::ExpandShapeOp::create(
        builder, op->getLoc(), mlir::RankedTensorType::get(apart, element), value, groups));
    rows.push_back(filled_tensor(builder, op->getLoc(), mlir::RankedTensorType::get(row, element),
                                 scalar_of(builder, op->getLoc(), start)));
  }
  const auto maps = [&](std::int64_t loops) {
    llvm::SmallVector<mlir::AffineExpr> kept;
    for (std::int64_t i = 0; i < loops; ++i) {
      if (i != dimension) kept.push_back(builder.getAffineDimExpr(static_cast<unsigned>(i)));
    }
    llvm::SmallVector<mlir::AffineMap> result(
        values.size(), builder.getMultiDimIdentityMap(static_cast<unsigned>(loops)));
    result.append(values.size(), mlir::AffineMap::get(static_cast<unsigned>(loops), 0, kept,
                                                      builder.getContext()));
    return result;
  };
  const auto iterators = [&](std::int64_t loops) {
    llvm::SmallVector<Iterator> result(loops, Iterator::parallel);
    result[dimension] = Iterator::reduction;
    return result;
  };
  const auto partial = reduced(lowering, op, inputs, rows, maps(rank + 1), iterators(rank + 1));
  if (mlir::failed(partial)) return mlir::failure();
  const Dealt rest = dealt(tensor_type_of(partial->front()), dimension);
  if (rest.row != 0) return reduced_in_steps(lowering, op, *partial, initial, dimension, rest);
  return reduced(lowering, op, *partial, accumulators(lowering, op, initial), maps(rank),
                 iterators(rank));
}

// Elements of arbitrary value: only the shape of the window matters.
mlir::Value window(Lowering& lowering, mlir::Operation* op, llvm::ArrayRef<std::int64_t> sizes) {
  return empty_tensor(lowering.builder, op->getLoc(),
                      mlir::RankedTensorType::get(sizes, lowering.builder.getF32Type()));
}

// For stablehlo.reduce_window, one entry per dimension; two for padding.
struct WindowAttributes {
  List sizes;
  List strides;
  List base;
  List dilations;
  List padding;
};

mlir::FailureOr<WindowAttributes> window_attributes(mlir::Operation* op) {
  WindowAttributes result;
  const std::pair<llvm::StringRef, List*> names[] = {{"window_dimensions", &result.sizes},
                                                     {"window_strides", &result.strides},
                                                     {"base_dilations", &result.base},
                                                     {"window_dilations", &result.dilations},
                                                     {"padding", &result.padding}};
  for (const auto& [name, into] : names) {
    const auto read = integers(op, name);
    if (mlir::failed(read)) return mlir::failure();
    *into = *read;
  }
  const std::size_t rank = result.sizes.size();
  if (result.strides.empty()) result.strides.assign(rank, 1);
  if (result.base.empty()) result.base.assign(rank, 1);
  if (result.dilations.empty()) result.dilations.assign(rank, 1);
  if (result.padding.empty()) result.padding.assign(2 * rank, 0);
  return result;
}

// The operands with padding and dilation inserted: the initial value.
Values padded_inputs(Lowering& lowering, mlir::Operation* op, const Values& all,
                     const WindowAttributes& attributes) {
  List low;
  List high;
  List interior;
  for (std::size_t i = 0; i < attributes.sizes.size(); ++i) {
    low.push_back(attributes.padding[2 * i]);
    high.push_back(attributes.padding[2 * i + 1]);
    interior.push_back(attributes.base[i] - 1);
  }
  Values inputs;
  const std::size_t count = all.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    const mlir::Value scalar = scalar_of(lowering.builder, op->getLoc(), all[count + i]);
    inputs.push_back(padded(lowering.builder, op->getLoc(), all[i], scalar, low, high, interior));
  }
  return inputs;
}

}  // namespace

mlir::FailureOr<Values> lower_reduce(Lowering& lowering, mlir::Operation* op) {
  const auto dimensions = integers(op, "dimensions");
  if (mlir::failed(dimensions)) return mlir::failure();
  const Values all = lowering.mapped(op->getOperands());
  const std::size_t count = all.size() / 2;
  const std::int64_t rank = tensor_type_of(all.front()).getRank();
  llvm::SmallVector<Iterator> iterators(rank, Iterator::parallel);
  for (const std::int64_t dimension : *dimensions) {
    if (dimension < 0 || dimension >= rank) return op->emitError("no such dimension");
    iterators[dimension] = Iterator::reduction;
  }
  const mlir::ValueRange values(all);
  if (dimensions->empty() || is_of_one_element(tensor_type_of(all.front()), *dimensions)) {
    Values elements;
    for (const auto [value, result] : llvm::zip(values.take_front(count), op->getResults())) {
      const auto type = tensor_type_of(value).clone(plain_tensor(result.getType()).getShape());
      elements.push_back(reshaped(lowering.builder, op->getLoc(), value, type));
    }
    return met_once(lowering, op, elements, values.drop_front(count));
  }
  if (count > 1 && dimensions->size() == 1 && !may_find_place_of_nan(op, count)) {
    const Dealt steps = dealt(tensor_type_of(all.front()), dimensions->front());
    if (steps.row != 0) {
      return reduced_in_steps(lowering, op, values.take_front(count), values.drop_front(count),
                              dimensions->front(), steps);
    }
  }
  llvm::SmallVector<mlir::AffineExpr> kept;
  for (std::int64_t i = 0; i < rank; ++i) {
    if (iterators[i] == Iterator::parallel) kept.push_back(lowering.builder.getAffineDimExpr(i));
  }
  llvm::SmallVector<mlir::AffineMap> maps(count, lowering.builder.getMultiDimIdentityMap(rank));
  maps.append(count, mlir::AffineMap::get(rank, 0, kept, lowering.builder.getContext()));
  const Values begun = accumulators(lowering, op, values.drop_front(count));
  // Over no elements: a body that is never executed must not determine the result, whatever it
  // yields.
  if (tensor_type_of(values.front()).getNumElements() == 0) return begun;
  return reduced(lowering, op, values.take_front(count), begun, maps, iterators);
}

mlir::FailureOr<Values> lower_reduce_window(Lowering& lowering, mlir::Operation* op) {
  const auto attributes = window_attributes(op);
  if (mlir::failed(attributes)) return mlir::failure();
  const std::size_t rank = attributes->sizes.size();
  const Values all = lowering.mapped(op->getOperands());
  const std::size_t count = all.size() / 2;
  const mlir::ValueRange initial = mlir::ValueRange(all).drop_front(count);
  // No window fits.
  if (tensor_type_of(op->getResult(0)).getNumElements() == 0)
    return accumulators(lowering, op, initial);
  if (const auto prefixes = lower_prefix(lowering, op)) return *prefixes;
  mlir::OpBuilder& builder = lowering.builder;
  llvm::SmallVector<mlir::AffineExpr> from;
  llvm::SmallVector<mlir::AffineExpr> windows;
  llvm::SmallVector<mlir::AffineExpr> kept;
  for (std::size_t i = 0; i < rank; ++i) {
    kept.push_back(builder.getAffineDimExpr(i));
    windows.push_back(builder.getAffineDimExpr(rank + i));
    from.push_back(kept.back() * attributes->strides[i] +
                   windows.back() * attributes->dilations[i]);
  }
  const auto map = [&](llvm::ArrayRef<mlir::AffineExpr> expressions) {
    return mlir::AffineMap::get(2 * rank, 0, expressions, builder.getContext());
  };
  // linalg knows an iterator's extent from an operand that it indexes alone.
  Values inputs = padded_inputs(lowering, op, all, *attributes);
  inputs.push_back(window(lowering, op, attributes->sizes));
  llvm::SmallVector<mlir::AffineMap> maps(count, map(from));
  maps.push_back(map(windows));
  maps.append(count, map(kept));
  llvm::SmallVector<Iterator> iterators(rank, Iterator::parallel);
  iterators.append(rank, Iterator::reduction);
  return reduced(lowering, op, inputs, accumulators(lowering, op, initial), maps, iterators);
}

}  // namespace tandem::compiler
