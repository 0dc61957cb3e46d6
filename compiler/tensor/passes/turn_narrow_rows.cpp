// Tables of many narrow rows are processed as tables of few long ones.
//
//   log_softmax of [2048, 5], along rows    as of [5, 2048], along columns
//
// A row takes a row of VMEM and a cross-lane operation however short it is; transposed, sums along
// rows are sums of full registers. Tables of the launch are transposed on input, and results on
// output, whole vectors at a time. All operations on such a table must be arithmetic on its rows,
// its columns or single elements.
//
// Only for rows that would waste more than three quarters of VMEM: otherwise the two transposes
// cost more than they gain (2048 x 5 on small: 5,826 cycles by rows, 8,500 for the transposes
// alone). Without sums along rows there is nothing to gain (decision 213).
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/joined_dimensions.hpp"
#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/tensor/with_loops.hpp"
#include "compiler/views/residence.hpp"
#include "isa/parameters.hpp"
#include "llvm/ADT/EquivalenceClasses.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::AffineMap;
using mlir::RankedTensorType;
using mlir::Value;
using mlir::bufferization::MaterializeInDestinationOp;
using mlir::bufferization::ToTensorOp;
using mlir::linalg::FillOp;
using mlir::linalg::GenericOp;
using Iterator = mlir::utils::IteratorType;

AffineMap swapped(mlir::MLIRContext* context) {
  return AffineMap::getPermutationMap(llvm::ArrayRef<unsigned>{1, 0}, context);
}

RankedTensorType turned_type(Value value) {
  const auto type = tensor_type_of(value);
  return RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)}, type.getElementType());
}

Value turned(mlir::OpBuilder& builder, Value value) {
  return parallel_generic(builder, value.getLoc(), turned_type(value), value,
                          swapped(builder.getContext()),
                          [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange arguments) {
                            return arguments.front();
                          });
}

class Turner {
 public:
  Turner(mlir::func::FuncOp function, const Parameters& machine)
      : function_(function), machine_(machine) {}

  void run() {
    llvm::SmallVector<mlir::Operation*> all;
    function_.walk([&](mlir::Operation* op) { all.push_back(op); });
    for (mlir::Operation* op : all) visit(op);
    for (const Value table : kept_) is_kept_.insert(classes_.getLeaderValue(table));
    for (const Value table : summed_) is_summed_.insert(classes_.getLeaderValue(table));
    for (mlir::Operation* op : all) turn(op);
    for (mlir::Operation* op : llvm::reverse(gone_)) op->erase();
  }

 private:
  // A table of many rows that leave VMEM nearly empty.
  [[nodiscard]] bool is_table(Value value) const {
    const auto type = mlir::dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() != 2 || !type.hasStaticShape() || type.getDimSize(1) < 2) {
      return false;
    }
    const auto buffer = mlir::MemRefType::get(type.getShape(), type.getElementType());
    return wastes_pitched(buffer, machine_.lanes) &&
           threshold::turned_rows(type.getDimSize(0) / machine_.lanes);
  }

  [[nodiscard]] bool is_turned(Value value) const {
    if (!is_table(value)) return false;
    const Value leader = classes_.getLeaderValue(value);
    return is_summed_.contains(leader) && !is_kept_.contains(leader);
  }

  // Whether every table has both loops, rows first, and every other operand one of them or none.
  static bool is_simple(GenericOp op) {
    return JoinedDimensions::may_join(op) && op.getNumLoops() == 2 &&
           llvm::all_of(op.getIndexingMapsArray(),
                        [](AffineMap map) { return map.getNumResults() < 2 || map.isIdentity(); });
  }

  // Tables used together, and whether any has sums along its rows, or is needed in its original
  // form.
  void visit(mlir::Operation* op) {
    llvm::SmallVector<Value> tables;
    const auto note = [&](auto values) {
      for (const Value value : values) {
        if (is_table(value)) tables.push_back(value);
      }
    };
    note(op->getOperands());
    note(op->getResults());
    for (mlir::Region& region : op->getRegions()) note(region.getArguments());
    if (tables.empty()) return;
    for (const Value table : tables) classes_.unionSets(tables.front(), table);
    auto generic = mlir::dyn_cast<GenericOp>(op);
    if (generic && is_simple(generic)) {
      const bool sums = generic.getIteratorTypesArray()[1] == Iterator::reduction;
      if (sums) summed_.push_back(tables.front());
    } else if (!mlir::isa<tensor::EmptyOp, FillOp, ToTensorOp, MaterializeInDestinationOp>(op)) {
      kept_.push_back(tables.front());
    }
  }

  void turn(mlir::Operation* op) {
    const auto is_it = [&](Value value) { return is_turned(value); };
    if (llvm::none_of(op->getOperands(), is_it) && llvm::none_of(op->getResults(), is_it)) return;
    mlir::OpBuilder builder(op);
    if (auto write = mlir::dyn_cast<MaterializeInDestinationOp>(op)) {
      write.getSourceMutable().assign(turned(builder, twins_.lookup(write.getSource())));
      return;
    }
    if (auto read = mlir::dyn_cast<ToTensorOp>(op)) {
      builder.setInsertionPointAfter(op);
      twins_[read.getResult()] = turned(builder, read.getResult());
      return;
    }
    gone_.push_back(op);
    if (auto fill = mlir::dyn_cast<FillOp>(op)) {
      const Value init = twins_.lookup(fill.getDpsInits().front());
      twins_[fill.getResult(0)] =
          FillOp::create(builder, op->getLoc(), fill.getInputs().front(), init).getResult(0);
    } else if (auto generic = mlir::dyn_cast<GenericOp>(op)) {
      turn(generic);
    } else {
      const Value made = op->getResult(0);
      twins_[made] = empty_tensor(builder, op->getLoc(), turned_type(made));
    }
  }

  // Swaps the loops.
  void turn(GenericOp op) {
    mlir::OpBuilder builder(op);
    const llvm::SmallVector<mlir::AffineExpr> columns_first = {builder.getAffineDimExpr(1),
                                                               builder.getAffineDimExpr(0)};
    llvm::SmallVector<Value> operands;
    llvm::SmallVector<AffineMap> maps;
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      const Value twin = twins_.lookup(operand.get());
      const AffineMap map = op.getMatchingIndexingMap(&operand);
      operands.push_back(twin ? twin : operand.get());
      maps.push_back(twin ? map : map.replaceDimsAndSymbols(columns_first, {}, 2, 0));
    }
    const auto kinds = op.getIteratorTypesArray();
    auto result = with_loops(builder, op, operands, maps, {kinds[1], kinds[0]});
    for (const auto [old, made] : llvm::zip(op.getResults(), result.getResults())) {
      if (is_turned(old)) {
        twins_[old] = made;
      } else {
        Value(old).replaceAllUsesWith(made);
      }
    }
  }

  mlir::func::FuncOp function_;
  const Parameters& machine_;
  llvm::EquivalenceClasses<Value> classes_;
  llvm::SmallVector<Value> kept_;
  llvm::SmallVector<Value> summed_;
  llvm::DenseSet<Value> is_kept_;
  llvm::DenseSet<Value> is_summed_;
  llvm::DenseMap<Value, Value> twins_;  // for transposed tables
  llvm::SmallVector<mlir::Operation*> gone_;
};

struct TurnNarrowRows : FunctionPass<TurnNarrowRows, PassName::turn_narrow_rows> {
  explicit TurnNarrowRows(const Parameters& machine) : machine(machine) {}

  void run() { Turner(getOperation(), machine).run(); }

  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_turn_narrow_rows_pass(const Parameters& machine) {
  return std::make_unique<TurnNarrowRows>(machine);
}

}  // namespace tandem::compiler
