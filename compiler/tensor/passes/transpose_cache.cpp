// Loop state that is written column by column, and read along its columns by products of few rows,
// is kept with those columns innermost.
//
// Keys in a cache are an example: an iteration writes one position, and scores multiply the query
// with all of them. Originally a position is a row, so that as weights they are stored by columns:
// the vector units (tpu/contraction/on_vectors.cpp) cannot take them, and transposed pushes are the
// slowest of all. With the positions innermost they are stored by rows, and an iteration writes a
// column.
//
// Only where the loop uses the state in no other way: slices of one column written into it,
// products that read it, and passing it on.
//
// Weights that a loop does not change are not transposed: that costs a cycle per word, and pays
// only from about forty iterations on, a number that is not known here (decision 60).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/views/machine_costs.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::AffineMap;
using mlir::Value;
using mlir::linalg::GenericOp;
using mlir::tensor::InsertSliceOp;

// The dimension of a product's right operand that gives the result's columns, where the depth is
// the last one and there are few rows; -1 otherwise.
int columns_of(GenericOp op) {
  if (!attribute::precision.is_on(op) || op.getNumDpsInputs() != 2) return -1;
  const auto maps = op.getIndexingMapsArray();
  if (maps[1].getNumResults() < 2) return -1;
  const auto kinds = op.getIteratorTypesArray();
  const auto ranges = op.getStaticLoopRanges();
  std::int64_t rows = 1;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (kinds[loop] == mlir::utils::IteratorType::parallel && !maps[1].isFunctionOfDim(loop)) {
      rows *= ranges[loop];
    }
  }
  if (threshold::rows_on_vectors(rows) || !maps[1].isProjectedPermutation()) return -1;
  const auto loop_of = [&](unsigned dimension) { return maps[1].getDimPosition(dimension); };
  const unsigned last = maps[1].getNumResults() - 1;
  if (kinds[loop_of(last)] != mlir::utils::IteratorType::reduction) return -1;
  int columns = -1;
  for (unsigned i = 0; i < last; ++i) {
    const bool only_right = !maps[0].isFunctionOfDim(loop_of(i)) &&
                            kinds[loop_of(i)] == mlir::utils::IteratorType::parallel;
    if (!only_right) continue;
    if (columns >= 0) return -1;
    columns = static_cast<int>(i);
  }
  return columns;
}

// A state of a loop and its uses.
struct State {
  int columns = -1;                 // the dimension that becomes the innermost
  llvm::SmallVector<Value> values;  // it, and the values made by writing into it
  llvm::SmallVector<InsertSliceOp> writes;
  llvm::SmallVector<GenericOp> products;
  llvm::SmallVector<mlir::linalg::CopyOp> copies;
};

// Whether all readers of the value are supported.
bool read_uses(Value value, Value argument, State& state) {
  state.values.push_back(value);
  for (mlir::OpOperand& use : value.getUses()) {
    mlir::Operation* user = use.getOwner();
    if (auto write = mlir::dyn_cast<InsertSliceOp>(user)) {
      if (use.get() != write.getDest() || write.getSource() == value) return false;
      state.writes.push_back(write);
      if (!read_uses(write.getResult(), argument, state)) return false;
    } else if (auto copy = mlir::dyn_cast<mlir::linalg::CopyOp>(user)) {
      if (copy.getOutputs().front() != argument || copy->getNumResults() != 1) return false;
      if (!copy->getResult(0).hasOneUse() ||
          !mlir::isa<mlir::scf::YieldOp>(*copy->getResult(0).user_begin())) {
        return false;
      }
      if (!llvm::is_contained(state.copies, copy)) state.copies.push_back(copy);
    } else if (auto product = mlir::dyn_cast<GenericOp>(user)) {
      const int columns = columns_of(product);
      if (columns < 0 || use.getOperandNumber() != 1) return false;
      if (state.columns >= 0 && state.columns != columns) return false;
      state.columns = columns;
      state.products.push_back(product);
    } else {
      return false;
    }
  }
  return true;
}

// The dimension moved after all others.
template <typename T>
llvm::SmallVector<T> turned(llvm::ArrayRef<T> values, int columns) {
  llvm::SmallVector<T> result(values);
  std::rotate(result.begin() + columns, result.begin() + columns + 1, result.end());
  return result;
}

mlir::RankedTensorType turned(mlir::RankedTensorType type, int columns) {
  return mlir::RankedTensorType::get(turned<std::int64_t>(type.getShape(), columns),
                                     type.getElementType());
}

class Turner {
 public:
  Turner(mlir::scf::WhileOp loop, unsigned number) : loop_(loop), number_(number) {}

  void run() {
    if (!find()) return;
    const mlir::RankedTensorType type = turned(tensor_type_of(argument_), state_.columns);
    make_start(type);
    for (Value value : {Value(loop_.getBeforeArguments()[number_]), argument_}) {
      value.setType(type);
    }
    for (InsertSliceOp write : state_.writes) rewrite(write);
    for (GenericOp product : state_.products) rewrite(product);
    for (mlir::linalg::CopyOp copy : state_.copies) copy->getResult(0).setType(type);
    Value result = loop_.getResult(number_);
    const mlir::RankedTensorType before = tensor_type_of(result);
    result.setType(type);
    if (!result.use_empty()) turn_back(result, before);
  }

 private:
  // Whether the state may be transposed.
  bool find() {
    argument_ = loop_.getAfterArguments()[number_];
    const Value first = loop_.getBeforeArguments()[number_];
    auto condition = loop_.getConditionOp();
    const auto type = mlir::dyn_cast<mlir::RankedTensorType>(argument_.getType());
    if (!type || !type.hasStaticShape() || !first.hasOneUse() ||
        number_ >= condition.getArgs().size() || condition.getArgs()[number_] != first) {
      return false;
    }
    if (!read_uses(argument_, argument_, state_) || state_.products.empty()) return false;
    auto yield = mlir::cast<mlir::scf::YieldOp>(loop_.getAfterBody()->getTerminator());
    const Value yielded = yield.getOperand(number_);
    const bool is_handed_on = llvm::any_of(
        state_.copies, [&](mlir::linalg::CopyOp copy) { return copy->getResult(0) == yielded; });
    return is_handed_on && state_.copies.size() == 1 &&
           llvm::is_contained(state_.values, state_.copies.front().getInputs().front()) &&
           llvm::all_of(state_.writes, [&](InsertSliceOp write) {
             return write.getStaticSizes()[static_cast<unsigned>(state_.columns)] == 1 &&
                    write.getSourceType().getRank() == type.getRank();
           });
  }

  // The loop's initial value, in the other order. A constant fill is created directly.
  void make_start(mlir::RankedTensorType type) {
    const Value old = loop_.getInits()[number_];
    mlir::OpBuilder builder(loop_);
    const mlir::Location loc = old.getLoc();
    const Value room =
        mlir::tensor::EmptyOp::create(builder, loc, type.getShape(), type.getElementType());
    const auto rank = static_cast<unsigned>(type.getRank());
    auto made = old.getDefiningOp<GenericOp>();
    const bool is_even = made && made->getNumOperands() == 1 && made.getNumDpsInits() == 1 &&
                         made.getBody()->getOps<mlir::linalg::IndexOp>().empty() &&
                         made.getBody()->getArgument(0).use_empty();
    const AffineMap to = builder.getMultiDimIdentityMap(rank);
    const llvm::SmallVector<mlir::utils::IteratorType> kinds(rank,
                                                             mlir::utils::IteratorType::parallel);
    Value start;
    if (is_even) {
      mlir::OpBuilder::InsertionGuard guard(builder);
      auto clone = GenericOp::create(builder, loc, type, mlir::ValueRange{}, room, to, kinds);
      mlir::IRMapping map;
      made.getRegion().cloneInto(&clone.getRegion(), map);
      start = clone.getResult(0);
    } else {
      start = moved(builder, loc, old, room, order(rank));
    }
    loop_->setOperand(number_, start);
  }

  // The position of each dimension of the original in the transposed one.
  [[nodiscard]] llvm::SmallVector<unsigned> order(unsigned rank) const {
    llvm::SmallVector<unsigned> places(rank);
    for (unsigned i = 0; i < rank; ++i) {
      const auto columns = static_cast<unsigned>(state_.columns);
      places[i] = i == columns ? rank - 1 : i > columns ? i - 1 : i;
    }
    return places;
  }

  // Element (d0, d1, ...) of the buffer is that of `from` at the loops `places`.
  static Value moved(mlir::OpBuilder& builder, mlir::Location loc, Value from, Value room,
                     llvm::ArrayRef<unsigned> places) {
    const auto rank = static_cast<unsigned>(places.size());
    const llvm::SmallVector<mlir::utils::IteratorType> kinds(rank,
                                                             mlir::utils::IteratorType::parallel);
    return GenericOp::create(
               builder, loc, room.getType(), from, room,
               {AffineMap::getPermutationMap(places, builder.getContext()),
                builder.getMultiDimIdentityMap(rank)},
               kinds,
               [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
                 mlir::linalg::YieldOp::create(nested, at, elements.front());
               })
        .getResult(0);
  }

  // A column of the transposed state: the written value no longer has a dimension for its one
  // column.
  void rewrite(InsertSliceOp write) const {
    mlir::OpBuilder builder(write);
    const auto rank = static_cast<int>(write.getSourceType().getRank());
    llvm::SmallVector<mlir::ReassociationIndices> groups;
    for (int i = 0; i < rank; ++i) {
      // The column's dimension is merged with the one after it.
      if (i == state_.columns + 1) {
        groups.back().push_back(i);
      } else {
        groups.push_back({i});
      }
    }
    const Value column =
        mlir::tensor::CollapseShapeOp::create(builder, write.getLoc(), write.getSource(), groups);
    using mlir::OpFoldResult;
    auto made =
        InsertSliceOp::create(builder, write.getLoc(), column, write.getDest(),
                              turned<OpFoldResult>(write.getMixedOffsets(), state_.columns),
                              turned<OpFoldResult>(write.getMixedSizes(), state_.columns),
                              turned<OpFoldResult>(write.getMixedStrides(), state_.columns));
    write.getResult().replaceAllUsesWith(made.getResult());
    write->erase();
  }

  void rewrite(GenericOp product) const {
    mlir::Builder builder(product.getContext());
    auto maps = product.getIndexingMapsArray();
    maps[1] = AffineMap::get(maps[1].getNumDims(), 0,
                             turned<mlir::AffineExpr>(maps[1].getResults(), state_.columns),
                             product.getContext());
    product.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  }

  void turn_back(Value result, mlir::RankedTensorType before) {
    mlir::OpBuilder builder(loop_->getContext());
    builder.setInsertionPointAfter(loop_);
    const auto rank = static_cast<unsigned>(before.getRank());
    const Value room = mlir::tensor::EmptyOp::create(builder, loop_.getLoc(), before.getShape(),
                                                     before.getElementType());
    // The transposed dimensions in the order of loops over the original ones.
    llvm::SmallVector<unsigned> places;
    for (unsigned i = 0; i < rank; ++i) {
      if (static_cast<int>(i) != state_.columns) places.push_back(i);
    }
    places.push_back(static_cast<unsigned>(state_.columns));
    const Value back = moved(builder, loop_.getLoc(), result, room, places);
    result.replaceAllUsesExcept(back, back.getDefiningOp());
  }

  mlir::scf::WhileOp loop_;
  unsigned number_;
  Value argument_;
  State state_;
};

struct TransposeCache : FunctionPass<TransposeCache, PassName::transpose_cache> {
  void run() {
    llvm::SmallVector<mlir::scf::WhileOp> loops;
    getOperation().walk([&](mlir::scf::WhileOp loop) { loops.push_back(loop); });
    for (mlir::scf::WhileOp loop : loops) {
      for (unsigned i = 0; i < loop.getInits().size(); ++i) Turner(loop, i).run();
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_transpose_cache_pass() {
  return std::make_unique<TransposeCache>();
}

}  // namespace tandem::compiler
