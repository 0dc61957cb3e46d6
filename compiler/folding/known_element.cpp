#include "compiler/folding/known_element.hpp"

#include <map>
#include <tuple>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::Attribute;
using mlir::Value;
using Place = llvm::SmallVector<std::int64_t>;

constexpr int deepest = 32;  // operations looked through

Attribute constant_of(Value value) {
  Attribute constant;
  return mlir::matchPattern(value, mlir::m_Constant(&constant)) ? constant : Attribute();
}

// Bodies of real arithmetic are not evaluated here.
bool is_whole(mlir::Type type) { return mlir::isa<mlir::IntegerType, mlir::IndexType>(type); }

// Elements of tensors, each evaluated once however many operations use it.
class Elements {
 public:
  // Empty where it is not known.
  Attribute of(Value tensor, const Place& place, int depth = 0) {
    if (depth > deepest) return {};
    const auto [found, is_new] =
        known_.try_emplace({tensor.getAsOpaquePointer(), depth, place}, Attribute());
    if (is_new) found->second = made(tensor, place, depth);
    return found->second;
  }

 private:
  Attribute made(Value tensor, const Place& place, int depth);
  Attribute of_generic(mlir::linalg::GenericOp op, unsigned result, const Place& place, int depth);
  Attribute of_insert(tensor::InsertSliceOp op, const Place& place, int depth);
  Attribute of_slice(tensor::ExtractSliceOp op, const Place& place, int depth);
  Attribute of_reshape(Value source, mlir::RankedTensorType to, const Place& place, int depth);

  std::map<std::tuple<void*, int, Place>, Attribute> known_;
};

// The value that the body yields at this point of its loops.
Attribute Elements::of_generic(mlir::linalg::GenericOp op, unsigned result, const Place& place,
                               int depth) {
  mlir::OpOperand* init = op.getDpsInitOperand(result);
  if (op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(init).isIdentity()) {
    return {};
  }
  llvm::DenseMap<Value, Attribute> known;
  mlir::Block* body = op.getBody();
  for (mlir::OpOperand* input : op.getDpsInputOperands()) {
    const Value argument = body->getArgument(input->getOperandNumber());
    if (argument.use_empty()) continue;
    known[argument] = of(input->get(), op.getMatchingIndexingMap(input).compose(place), depth + 1);
  }
  const auto of_value = [&](Value value) {
    const auto found = known.find(value);
    return found != known.end() ? found->second : constant_of(value);
  };
  for (mlir::Operation& inner : body->without_terminator()) {
    if (auto index = mlir::dyn_cast<mlir::linalg::IndexOp>(inner)) {
      known[index] = mlir::IntegerAttr::get(index.getType(), place[index.getDim()]);
      continue;
    }
    llvm::SmallVector<Attribute> operands;
    for (const Value operand : inner.getOperands()) operands.push_back(of_value(operand));
    llvm::SmallVector<mlir::OpFoldResult> folded;
    const bool fits = inner.getNumResults() == 1 && inner.getNumRegions() == 0 &&
                      mlir::isPure(&inner) && is_whole(inner.getResult(0).getType()) &&
                      llvm::all_of(inner.getOperandTypes(), is_whole) &&
                      llvm::all_of(operands, [](Attribute a) { return a != nullptr; });
    if (!fits || mlir::failed(inner.fold(operands, folded)) || folded.size() != 1) return {};
    const auto value = mlir::dyn_cast<Value>(folded.front());
    known[inner.getResult(0)] = value ? of_value(value) : mlir::cast<Attribute>(folded.front());
  }
  return of_value(body->getTerminator()->getOperand(result));
}

// From the former contents, or from the inserted ones.
Attribute Elements::of_insert(tensor::InsertSliceOp op, const Place& place, int depth) {
  const auto offsets = mlir::getConstantIntValues(op.getMixedOffsets());
  const auto sizes = mlir::getConstantIntValues(op.getMixedSizes());
  if (!offsets || !sizes || !op.hasUnitStride() ||
      op.getSourceType().getRank() != op.getType().getRank()) {
    return {};
  }
  Place inside;
  for (const auto [at, offset, size] : llvm::zip(place, *offsets, *sizes)) {
    if (at < offset || at >= offset + size) return of(op.getDest(), place, depth + 1);
    inside.push_back(at - offset);
  }
  return of(op.getSource(), inside, depth + 1);
}

Attribute Elements::of_slice(tensor::ExtractSliceOp op, const Place& place, int depth) {
  const auto offsets = mlir::getConstantIntValues(op.getMixedOffsets());
  const auto strides = mlir::getConstantIntValues(op.getMixedStrides());
  if (!offsets || !strides || op.getSourceType().getRank() != op.getType().getRank()) return {};
  Place outside;
  for (const auto [at, offset, stride] : llvm::zip(place, *offsets, *strides)) {
    outside.push_back(offset + at * stride);
  }
  return of(op.getSource(), outside, depth + 1);
}

// The same element in the order of memory.
Attribute Elements::of_reshape(Value source, mlir::RankedTensorType to, const Place& place,
                               int depth) {
  const auto from = mlir::cast<mlir::RankedTensorType>(source.getType());
  if (!from.hasStaticShape() || !to.hasStaticShape()) return {};
  const std::int64_t number = mlir::linearize(place, mlir::computeStrides(to.getShape()));
  return of(source, mlir::delinearize(number, mlir::computeStrides(from.getShape())), depth + 1);
}

Attribute Elements::made(Value tensor, const Place& place, int depth) {
  mlir::Operation* op = tensor.getDefiningOp();
  if (op == nullptr) return {};
  return llvm::TypeSwitch<mlir::Operation*, Attribute>(op)
      .Case([&](mlir::arith::ConstantOp constant) -> Attribute {
        const auto all = mlir::dyn_cast<mlir::DenseElementsAttr>(constant.getValue());
        if (!all) return {};
        if (all.isSplat()) return all.getSplatValue<Attribute>();
        const llvm::SmallVector<std::uint64_t> at(place.begin(), place.end());
        return all.getValues<Attribute>()[at];
      })
      .Case([&](mlir::linalg::FillOp fill) { return constant_of(fill.getInputs().front()); })
      .Case([&](mlir::linalg::GenericOp generic) {
        const auto result = mlir::cast<mlir::OpResult>(tensor).getResultNumber();
        return of_generic(generic, result, place, depth);
      })
      .Case([&](tensor::InsertSliceOp insert) { return of_insert(insert, place, depth); })
      .Case([&](tensor::ExtractSliceOp slice) { return of_slice(slice, place, depth); })
      .Case([&](tensor::ExpandShapeOp expand) {
        return of_reshape(expand.getSrc(), expand.getResultType(), place, depth);
      })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return of_reshape(collapse.getSrc(), collapse.getResultType(), place, depth);
      })
      .Default([](mlir::Operation*) { return Attribute(); });
}

struct KnownElement : mlir::OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  mlir::LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                      mlir::PatternRewriter& rewriter) const override {
    if (!is_whole(op.getType())) return mlir::failure();
    Place place;
    for (const Value index : op.getIndices()) {
      const auto number = mlir::getConstantIntValue(index);
      if (!number) return mlir::failure();
      place.push_back(*number);
    }
    const auto known =
        mlir::dyn_cast_or_null<mlir::TypedAttr>(Elements().of(op.getTensor(), place));
    if (!known || known.getType() != op.getType()) return mlir::failure();
    rewriter.replaceOpWithNewOp<mlir::arith::ConstantOp>(op, known);
    return mlir::success();
  }
};

}  // namespace

void add_known_elements(mlir::RewritePatternSet& patterns) {
  patterns.add<KnownElement>(patterns.getContext());
}

}  // namespace tandem::compiler
