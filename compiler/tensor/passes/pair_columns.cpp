// Weights of bf16 that a loop does not change are packed before it, two columns per word.
//
// Word j of a row holds the columns j and j + N/2, so that the low halves make the first half of
// the result's columns and the high ones the second, both in order. They take half of the memory,
// and no packing is repeated in each iteration. Only where halves of the columns are whole rows of
// VMEM.
//
// Unpacking in the loop instead would cost in each iteration (decision 39).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/halves.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tandem::compiler {
namespace {

using mlir::AffineMap;
using mlir::Value;
using mlir::linalg::GenericOp;
using mlir::tensor::EmptyOp;
using mlir::tensor::ExtractSliceOp;
using mlir::tensor::InsertSliceOp;

// The outermost loop around the operation that does not define the value; null: none.
mlir::Operation* loop_without(mlir::Operation* op, Value value) {
  mlir::Operation* outermost = nullptr;
  for (mlir::Operation* parent = op->getParentOp(); parent != nullptr;
       parent = parent->getParentOp()) {
    if (parent->isAncestor(value.getParentBlock()->getParentOp())) break;
    if (mlir::isa<mlir::LoopLikeOpInterface>(parent)) outermost = parent;
  }
  return outermost;
}

// Offsets, sizes and strides of a half of the columns.
struct Half {
  llvm::SmallVector<mlir::OpFoldResult> offsets;
  llvm::SmallVector<mlir::OpFoldResult> sizes;
  llvm::SmallVector<mlir::OpFoldResult> strides;
};

Half half_of_columns(mlir::OpBuilder& builder, mlir::RankedTensorType whole, int half) {
  Half result;
  for (const std::int64_t size : whole.getShape()) {
    result.offsets.push_back(builder.getIndexAttr(0));
    result.sizes.push_back(builder.getIndexAttr(size));
    result.strides.push_back(builder.getIndexAttr(1));
  }
  const std::int64_t columns = whole.getShape().back() / 2;
  result.offsets.back() = builder.getIndexAttr(half * columns);
  result.sizes.back() = builder.getIndexAttr(columns);
  return result;
}

class Pairer {
 public:
  explicit Pairer(const Parameters& machine) : lanes_(machine.lanes) {}

  void run(mlir::func::FuncOp function) {
    llvm::SmallVector<GenericOp> all;
    function.walk([&](GenericOp op) {
      if (fits(op)) all.push_back(op);
    });
    for (GenericOp op : all) rewrite(op);
  }

 private:
  [[nodiscard]] bool fits(GenericOp op) const {
    if (!attribute::precision.is_on(op) || attribute::right.is_on(op) ||
        op.getNumDpsInputs() != 2 || op->getNumResults() != 1) {
      return false;
    }
    const Value right = op.getDpsInputs()[1];
    const mlir::RankedTensorType type = tensor_type_of(right);
    const auto maps = op.getIndexingMapsArray();
    if (!type.getElementType().isBF16() || !type.hasStaticShape() ||
        !tensor_type_of(op.getResult(0)).getElementType().isF32() || maps[1].getNumResults() == 0 ||
        maps[2].getNumResults() == 0 || loop_without(op, right) == nullptr) {
      return false;
    }
    const auto column = mlir::dyn_cast<mlir::AffineDimExpr>(maps[1].getResults().back());
    if (!column || maps[2].getResults().back() != column ||
        type.getShape().back() % (2 * lanes_) != 0) {
      return false;
    }
    const auto elsewhere = [&](llvm::ArrayRef<mlir::AffineExpr> indices) {
      return llvm::any_of(indices,
                          [&](auto index) { return index.isFunctionOfDim(column.getPosition()); });
    };
    return !elsewhere(maps[0].getResults()) && !elsewhere(maps[1].getResults().drop_back()) &&
           !elsewhere(maps[2].getResults().drop_back());
  }

  Value words(GenericOp op, Value loose) {
    mlir::Operation* loop = loop_without(op, loose);
    Value& words = words_[{loose, loop}];
    if (words) return words;
    mlir::OpBuilder builder(loop);
    const mlir::Location loc = op.getLoc();
    const auto type = half_type(loose.getType(), builder.getI32Type());
    llvm::SmallVector<Value> halves;
    for (int half = 0; half < 2; ++half) {
      const Half part = half_of_columns(builder, tensor_type_of(loose), half);
      halves.push_back(
          ExtractSliceOp::create(builder, loc, loose, part.offsets, part.sizes, part.strides));
    }
    const Value room = EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    const auto rank = static_cast<unsigned>(type.getRank());
    const llvm::SmallVector<AffineMap> maps(3, builder.getMultiDimIdentityMap(rank));
    const llvm::SmallVector<mlir::utils::IteratorType> iterators(
        rank, mlir::utils::IteratorType::parallel);
    words = GenericOp::create(
                builder, loc, type, halves, room, maps, iterators,
                [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
                  mlir::linalg::YieldOp::create(nested, at,
                                                word_of(nested, at, elements[0], elements[1]));
                })
                .getResult(0);
    return words;
  }

  // The columns that one half of the words gives.
  Value columns(mlir::OpBuilder& builder, GenericOp op, Value words, int half) {
    const mlir::Location loc = op.getLoc();
    auto made = GenericOp::create(
        builder, loc, half_type(op.getResult(0).getType()),
        mlir::ValueRange{op.getDpsInputs()[0], words}, start(builder, op, half),
        op.getIndexingMapsArray(), op.getIteratorTypesArray(),
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
          mlir::IRMapping map;
          map.map(op.getBody()->getArguments(), arguments);
          map.map(op.getBody()->getArgument(1), half_of(nested, at, arguments[1], half));
          for (mlir::Operation& inner : *op.getBody()) nested.clone(inner, map);
        });
    attribute::precision.copy(op, made);
    attribute::left.copy(op, made);
    attribute::halves.copy(op, made);
    attribute::right.set(made, half == 0 ? "lo" : "hi");
    return made.getResult(0);
  }

  // The initial sums of a half of the columns.
  Value start(mlir::OpBuilder& builder, GenericOp op, int half) {
    const Value whole = op.getDpsInits()[0];
    const auto made = halves_.find(whole);
    if (made != halves_.end()) return made->second[static_cast<unsigned>(half)];
    const auto type = half_type(whole.getType());
    if (auto fill = whole.getDefiningOp<mlir::linalg::FillOp>()) {
      const Value room =
          EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType());
      return mlir::linalg::FillOp::create(builder, op.getLoc(), fill.getInputs(), room)
          .getResult(0);
    }
    const Half part = half_of_columns(builder, tensor_type_of(whole), half);
    const Value slice =
        ExtractSliceOp::create(builder, op.getLoc(), whole, part.offsets, part.sizes, part.strides);
    return slice;
  }

  void rewrite(GenericOp op) {
    const Value packed = words(op, op.getDpsInputs()[1]);
    mlir::OpBuilder builder(op);
    const mlir::RankedTensorType type = tensor_type_of(op.getResult(0));
    Value result = EmptyOp::create(builder, op.getLoc(), type.getShape(), type.getElementType());
    std::array<Value, 2> halves;
    for (int half = 0; half < 2; ++half) {
      const Half part = half_of_columns(builder, type, half);
      halves[static_cast<unsigned>(half)] = columns(builder, op, packed, half);
      result = InsertSliceOp::create(builder, op.getLoc(), halves[static_cast<unsigned>(half)],
                                     result, part.offsets, part.sizes, part.strides);
    }
    halves_[result] = halves;
    op.getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  std::int64_t lanes_;
  llvm::DenseMap<std::pair<Value, mlir::Operation*>, Value> words_;
  llvm::DenseMap<Value, std::array<Value, 2>> halves_;  // of results
};

struct PairColumns : FunctionPass<PairColumns, PassName::pair_columns> {
  explicit PairColumns(const Parameters& machine) : machine(machine) {}
  void run() { Pairer(machine).run(getOperation()); }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_pair_columns_pass(const Parameters& machine) {
  return std::make_unique<PairColumns>(machine);
}

}  // namespace tandem::compiler
