// Operations on images become operations on tables.
//
//   [n, h, w, c] + [c]          as [n h w, c] + [c]
//   [n, h, w, c] -> [c]         as [n h w, c] -> [c]
//
// Where rows are short, and only the innermost loop has operands of its own, the loops before it
// are merged: there are more ways to cut one long loop than several short ones, so rows that fill
// whole rows of VMEM are found (tensor/passes/split_reductions.cpp, widen_rows.cpp). Reshapes like
// these cost nothing.
//
// Not everywhere: group norms and transposes are recognized by their loops, which reshapes would
// hide (decision 211).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/tensor/with_loops.hpp"
#include "isa/parameters.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::AffineMap;
using mlir::Value;
using mlir::linalg::GenericOp;
using Iterator = mlir::utils::IteratorType;

class Joining {
 public:
  Joining(GenericOp op, std::int64_t lanes)
      : op_(op), lanes_(lanes), sizes_(op.getStaticLoopRanges()) {}

  void run() {
    if (is_for_tables()) join();
  }

 private:
  // Whether a map has all loops, the innermost one, or none.
  [[nodiscard]] bool is_of_table(AffineMap map) const {
    const unsigned loops = map.getNumDims();
    if (map.getNumResults() == 0 || map.isIdentity()) return true;
    const auto only = mlir::dyn_cast<mlir::AffineDimExpr>(map.getResult(0));
    return map.getNumResults() == 1 && only && only.getPosition() + 1 == loops;
  }

  [[nodiscard]] bool is_for_tables() {
    const auto is_static = [](std::int64_t size) {
      return !mlir::ShapedType::isDynamic(size) && size > 0;
    };
    const bool only_moves = op_.getBody()->getOperations().size() == 1;
    const auto maps = op_.getIndexingMapsArray();
    if (op_.getNumResults() != 1 || only_moves || attribute::precision.is_on(op_) ||
        op_.hasIndexSemantics() || sizes_.size() < 3 || !llvm::all_of(sizes_, is_static) ||
        2 * sizes_.back() > lanes_ ||
        !llvm::all_of(maps, [&](AffineMap map) { return is_of_table(map); })) {
      return false;
    }
    // The loops before the innermost one have the same kind, and some operand has them.
    const auto kinds = op_.getIteratorTypesArray();
    const bool is_of_a_kind = llvm::all_of(llvm::ArrayRef(kinds).drop_back(),
                                           [&](Iterator kind) { return kind == kinds.front(); });
    const bool has_row = llvm::any_of(maps, [](AffineMap map) { return map.getNumResults() == 1; });
    const bool has_table =
        llvm::any_of(maps, [](AffineMap map) { return map.getNumResults() > 1; });
    return is_of_a_kind && kinds.back() == Iterator::parallel && has_row && has_table;
  }

  // The dimensions before the last one as one.
  [[nodiscard]] llvm::SmallVector<mlir::ReassociationIndices> groups() const {
    llvm::SmallVector<mlir::ReassociationIndices> result(2);
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      result[i + 1 < sizes_.size() ? 0 : 1].push_back(static_cast<std::int64_t>(i));
    }
    return result;
  }

  void join() {
    mlir::OpBuilder builder(op_);
    llvm::SmallVector<Value> operands;
    llvm::SmallVector<AffineMap> maps;
    for (mlir::OpOperand& operand : op_->getOpOperands()) {
      const AffineMap map = op_.getMatchingIndexingMap(&operand);
      if (map.getNumResults() < 2) {
        operands.push_back(operand.get());
        llvm::SmallVector<mlir::AffineExpr> read;
        if (map.getNumResults() == 1) read.push_back(builder.getAffineDimExpr(1));
        maps.push_back(AffineMap::get(2, 0, read, builder.getContext()));
        continue;
      }
      operands.push_back(
          tensor::CollapseShapeOp::create(builder, op_.getLoc(), operand.get(), groups()));
      maps.push_back(builder.getMultiDimIdentityMap(2));
    }
    const auto kinds = op_.getIteratorTypesArray();
    auto table = with_loops(builder, op_, operands, maps, {kinds.front(), kinds.back()});
    Value result = table.getResult(0);
    const auto type = tensor_type_of(op_.getResult(0));
    if (type.getRank() > 1) {
      result = tensor::ExpandShapeOp::create(builder, op_.getLoc(), type, result, groups());
    }
    op_.getResult(0).replaceAllUsesWith(result);
    op_.erase();
  }

  mutable GenericOp op_;  // its accessors are not const
  std::int64_t lanes_;
  llvm::SmallVector<std::int64_t> sizes_;
};

struct JoinLoops : FunctionPass<JoinLoops, PassName::join_loops> {
  explicit JoinLoops(const Parameters& machine) : machine(machine) {}

  void run() {
    llvm::SmallVector<GenericOp> all;
    getOperation().walk([&](GenericOp op) { all.push_back(op); });
    for (const GenericOp op : all) Joining(op, machine.lanes).run();
  }

  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_join_loops_pass(const Parameters& machine) {
  return std::make_unique<JoinLoops>(machine);
}

}  // namespace tandem::compiler
