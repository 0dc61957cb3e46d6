// Merges dimensions that no operation treats separately.
//
//   x[100, 300] * 2              as x[30000] * 2, and that as x[30, 1000] * 2
//   x[4, 32, 20, 14] -> [4, 32]  as x[128, 280] -> [128]
//   x[4, 14, 14, 4, 8] - [4, 4]  (group norm) as x[4, 196, 4, 8] - [4, 4]
//
// Rows of VMEM then are full whatever rows the program has, and copies have few, long runs. A
// border between two dimensions is removed where every operation on the tensor, and on all tensors
// that share loops with it, goes across it (tensor/joined_dimensions.hpp); arguments, results and
// reshapes are no obstacle. One long row is then cut into rows that fill VMEM.
//
// Rows of 1 to 16 rows of VMEM: as one row the tensor would have no pieces to copy in and out
// separately (`gelu` of 100 x 300 took 992 cycles instead of 748), and with a single row of VMEM
// each, small elements would be packed a row at a time (decision 212).
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/joined_dimensions.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/tensor/with_loops.hpp"
#include "isa/parameters.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::AffineMap;
using mlir::RankedTensorType;
using mlir::ReassociationIndices;
using mlir::Value;
using mlir::linalg::FillOp;
using mlir::linalg::GenericOp;
using Iterator = mlir::utils::IteratorType;

class Joiner {
 public:
  Joiner(mlir::func::FuncOp function, const Parameters& machine)
      : function_(function), dimensions_(function, machine) {}

  void run() {
    llvm::SmallVector<mlir::Operation*> all;
    function_.walk([&](mlir::Operation* op) {
      const bool has_tensors =
          mlir::isa<GenericOp, FillOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
      if (has_tensors) all.push_back(op);
    });
    for (mlir::Operation* op : all) {
      if (auto generic = mlir::dyn_cast<GenericOp>(op)) join(generic);
      if (auto fill = mlir::dyn_cast<FillOp>(op)) join(fill);
      if (auto expand = mlir::dyn_cast<tensor::ExpandShapeOp>(op)) {
        join_reshape(op, expand.getSrc(), expand.getResult());
      }
      if (auto collapse = mlir::dyn_cast<tensor::CollapseShapeOp>(op)) {
        join_reshape(op, collapse.getSrc(), collapse.getResult());
      }
    }
    for (mlir::Operation* op : llvm::reverse(gone_)) op->erase();
  }

 private:
  // The tensor with its groups as dimensions.
  Value joined(Value value) {
    if (const Value known = joined_.lookup(value)) return known;
    if (!dimensions_.is_joined(value)) return value;
    mlir::OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    const auto type = dimensions_.type(value);
    Value& result = joined_[value];
    if (value.getDefiningOp<tensor::EmptyOp>()) {
      result =
          tensor::EmptyOp::create(builder, value.getLoc(), type.getShape(), type.getElementType());
    } else {
      result = tensor::CollapseShapeOp::create(builder, value.getLoc(), type, value,
                                               dimensions_.groups(value));
    }
    return result;
  }

  // `made` is `value` with its groups as dimensions.
  void replace(mlir::OpBuilder& builder, Value value, Value made) {
    if (!dimensions_.is_joined(value)) {
      value.replaceAllUsesWith(made);
      return;
    }
    const Value back = tensor::ExpandShapeOp::create(builder, value.getLoc(), value.getType(), made,
                                                     dimensions_.groups(value));
    dimensions_.same_as(back, value);
    joined_[back] = made;
    value.replaceAllUsesWith(back);
  }

  void join(FillOp op) {
    const Value result = op.getResult(0);
    if (!op.hasPureTensorSemantics() || !dimensions_.is_joined(result)) return;
    mlir::OpBuilder builder(op);
    auto fill = FillOp::create(builder, op.getLoc(), op.getInputs().front(),
                               joined(op.getDpsInits().front()));
    replace(builder, result, fill.getResult(0));
    gone_.push_back(op);
  }

  // Which loops stay: the first of each group, and those that no tensor has joined.
  [[nodiscard]] llvm::SmallVector<bool> staying(GenericOp op) const {
    llvm::SmallVector<bool> stays(op.getNumLoops(), true);
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      const AffineMap map = op.getMatchingIndexingMap(&operand);
      for (const ReassociationIndices& group : dimensions_.groups(operand.get())) {
        for (const std::int64_t at : llvm::ArrayRef(group).drop_front()) {
          stays[map.getDimPosition(static_cast<unsigned>(at))] = false;
        }
      }
    }
    return stays;
  }

  void join(GenericOp op) {
    const bool joins =
        llvm::any_of(op->getOperands(), [&](Value value) { return dimensions_.is_joined(value); });
    if (!JoinedDimensions::may_join(op) || !joins) return;
    mlir::OpBuilder builder(op);
    const auto stays = staying(op);
    llvm::SmallVector<unsigned> number;  // index of each loop among those that stay
    llvm::SmallVector<Iterator> kinds;
    for (const auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
      number.push_back(static_cast<unsigned>(kinds.size()));
      if (stays[loop]) kinds.push_back(kind);
    }
    llvm::SmallVector<Value> operands;
    llvm::SmallVector<AffineMap> maps;
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      const AffineMap map = op.getMatchingIndexingMap(&operand);
      llvm::SmallVector<mlir::AffineExpr> read;
      for (const ReassociationIndices& group : dimensions_.groups(operand.get())) {
        const unsigned loop = map.getDimPosition(static_cast<unsigned>(group.front()));
        read.push_back(builder.getAffineDimExpr(number[loop]));
      }
      operands.push_back(joined(operand.get()));
      maps.push_back(
          AffineMap::get(static_cast<unsigned>(kinds.size()), 0, read, builder.getContext()));
    }
    auto with_fewer = with_loops(builder, op, operands, maps, kinds);
    for (const auto [result, made] : llvm::zip(op.getResults(), with_fewer.getResults())) {
      replace(builder, result, made);
    }
    gone_.push_back(op);
  }

  // A reshape between tensors with fewer dimensions: to the groups of one, then to those of the
  // other.
  void join_reshape(mlir::Operation* op, Value source, Value result) {
    if (!dimensions_.is_joined(source) && !dimensions_.is_joined(result)) return;
    mlir::OpBuilder builder(op);
    const Value from = joined(source);
    const auto type = dimensions_.type(result);
    Value made = from;
    if (from.getType() != type) {
      const auto groups = mlir::getReassociationIndicesForReshape(tensor_type_of(from), type);
      if (!groups) return;
      made = type.getRank() > tensor_type_of(from).getRank()
                 ? tensor::ExpandShapeOp::create(builder, op->getLoc(), type, from, *groups)
                       .getResult()
                 : tensor::CollapseShapeOp::create(builder, op->getLoc(), type, from, *groups)
                       .getResult();
    }
    replace(builder, result, made);
    gone_.push_back(op);
  }

  mlir::func::FuncOp function_;
  JoinedDimensions dimensions_;
  llvm::DenseMap<Value, Value> joined_;
  llvm::SmallVector<mlir::Operation*> gone_;  // until the end: no new value may be mistaken for
                                              // theirs
};

// One long row, and scalars shared by all of it.
bool is_flat(GenericOp op) {
  return JoinedDimensions::may_join(op) && op.getNumLoops() == 1 &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.getNumResults() == 0 || map.isIdentity(); });
}

// The long row as several.
Value in_rows(mlir::OpBuilder& builder, Value value, RankedTensorType type) {
  if (value.getDefiningOp<tensor::EmptyOp>()) {
    return tensor::EmptyOp::create(builder, value.getLoc(), type.getShape(), type.getElementType());
  }
  if (auto fill = value.getDefiningOp<FillOp>()) {
    const Value init = in_rows(builder, fill.getDpsInits().front(), type);
    return FillOp::create(builder, value.getLoc(), fill.getInputs().front(), init).getResult(0);
  }
  return tensor::ExpandShapeOp::create(builder, value.getLoc(), type, value,
                                       llvm::SmallVector<ReassociationIndices>{{0, 1}});
}

// The operation on rows of `width`.
void cut(GenericOp op, std::int64_t width) {
  mlir::OpBuilder builder(op);
  const llvm::SmallVector<ReassociationIndices> groups = {{0, 1}};
  llvm::SmallVector<Value> operands;
  llvm::SmallVector<AffineMap> maps;
  for (mlir::OpOperand& operand : op->getOpOperands()) {
    const auto type = tensor_type_of(operand.get());
    operands.push_back(operand.get());
    maps.push_back(AffineMap::get(2, 0, builder.getContext()));
    if (type.getRank() == 0) continue;
    const auto rows =
        RankedTensorType::get({type.getDimSize(0) / width, width}, type.getElementType());
    operands.back() = in_rows(builder, operand.get(), rows);
    maps.back() = builder.getMultiDimIdentityMap(2);
  }
  const Iterator kind = op.getIteratorTypesArray().front();
  auto made_in_rows = with_loops(builder, op, operands, maps, {kind, kind});
  for (const auto [result, made] : llvm::zip(op.getResults(), made_in_rows.getResults())) {
    Value back = made;
    if (tensor_type_of(result).getRank() != 0) {
      back = tensor::CollapseShapeOp::create(builder, op.getLoc(), result.getType(), made, groups);
    }
    Value(result).replaceAllUsesWith(back);
  }
  op.erase();
}

struct JoinDimensions : FunctionPass<JoinDimensions, PassName::join_dimensions> {
  explicit JoinDimensions(const Parameters& machine) : machine(machine) {}

  void run() {
    Joiner(getOperation(), machine).run();
    llvm::SmallVector<GenericOp> all;
    getOperation().walk([&](GenericOp op) { all.push_back(op); });
    for (const GenericOp op : all) {
      if (!is_flat(op)) continue;
      const std::int64_t size = GenericOp(op).getStaticLoopRanges().front();
      const std::int64_t width =
          threshold::flat_row(size / machine.lanes) ? filled_row(size, machine) : 0;
      if (width != 0) cut(op, width);
    }
  }

  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_join_dimensions_pass(const Parameters& machine) {
  return std::make_unique<JoinDimensions>(machine);
}

}  // namespace tandem::compiler
