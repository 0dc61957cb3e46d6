#include "compiler/tensor/masked_group.hpp"

#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tandem::compiler {
namespace {

using mlir::AffineMap;
using mlir::Value;
using mlir::linalg::GenericOp;

// For a map that passes loops unchanged.
std::optional<unsigned> dimension_in(AffineMap map, unsigned loop) {
  for (unsigned i = 0; i < map.getNumResults(); ++i) {
    const auto index = mlir::dyn_cast<mlir::AffineDimExpr>(map.getResult(i));
    if (index && index.getPosition() == loop) return i;
  }
  return std::nullopt;
}

// Whether the loop may be shorter: each operand has it as a dimension of its own, or not at all.
bool may_shorten(GenericOp op, unsigned loop) {
  return llvm::all_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return !map.isFunctionOfDim(loop) ||
           (map.isProjectedPermutation() && dimension_in(map, loop).has_value());
  });
}

bool is_simple(GenericOp op) {
  return op.getNumDpsInits() == 1 && op->getNumResults() == 1 && op.hasPureTensorSemantics() &&
         llvm::none_of(op.getStaticLoopRanges(), mlir::ShapedType::isDynamic);
}

// The mask of a selection between something and minus infinity in the body.
std::optional<MaskEnd> mask_of(GenericOp op) {
  for (auto select : op.getBody()->getOps<mlir::arith::SelectOp>()) {
    for (const auto& [mask, behind] : masked_selections(op, select)) {
      if (is_minus_infinity(behind) && !mask.limit_loop) return mask;
    }
  }
  return std::nullopt;
}

class Finder {
 public:
  explicit Finder(GenericOp seed) : seed_(seed), block_(seed->getBlock()) {}

  std::optional<MaskedGroup> run() {
    const auto mask = mask_of(seed_);
    if (!mask || !is_simple(seed_)) return std::nullopt;
    group_.mask = *mask;
    group_.positions = seed_.getStaticLoopRanges()[mask->loop];
    if (!add(seed_, mask->loop) || !go_on()) return std::nullopt;
    go_back();
    if (!is_closed()) return std::nullopt;
    finish();
    return std::move(group_);
  }

 private:
  bool add(GenericOp op, unsigned loop) {
    if (!is_simple(op) || !may_shorten(op, loop)) return false;
    MaskEnd mask = group_.mask;
    mask.loop = loop;
    const bool sums = op.getIteratorTypesArray()[loop] == mlir::utils::IteratorType::reduction;
    const Tail tail = tail_of_result(op, mask, sums, known_);
    const Value result = op.getResult(0);
    if (sums) {
      if (tail != Tail::zero) return false;
      known_.of_rows.insert(result);
    } else {
      const AffineMap made = op.getIndexingMapsArray().back();
      // A sum over another loop in an element of the tail stays in the tail only where its terms
      // have no effect.
      const bool is_plain = op.getNumReductionLoops() == 0;
      known_.tails[result] = is_plain ? tail : Tail::anything;
      along_[result] = *dimension_in(made, loop);
    }
    group_.loops[op] = loop;
    members_.insert(op);
    return true;
  }

  // The loop over positions of a reader of the group's values; none: it reads none. False where
  // operands disagree.
  bool loop_of(GenericOp op, std::optional<unsigned>& loop) const {
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      const auto dimension = along_.find(operand.get());
      if (dimension == along_.end()) continue;
      const auto index = mlir::dyn_cast<mlir::AffineDimExpr>(
          op.getMatchingIndexingMap(&operand).getResult(dimension->second));
      if (!index || (loop && *loop != index.getPosition())) return false;
      loop = index.getPosition();
    }
    return true;
  }

  // All readers of the group, up to its last operation.
  bool go_on() {
    for (mlir::Operation* op = seed_->getNextNode(); op != nullptr; op = op->getNextNode()) {
      const bool reads =
          llvm::any_of(op->getOperands(), [&](Value each) { return along_.contains(each); });
      if (reads) {
        auto generic = mlir::dyn_cast<GenericOp>(op);
        std::optional<unsigned> loop;
        if (!generic || !loop_of(generic, loop) || !loop || !add(generic, *loop)) return false;
      } else if (may_join(op)) {
        joined_.push_back(op);
        for (const Value result : op->getResults()) known_.of_rows.insert(result);
      }
    }
    return true;
  }

  // The values derived from sums and maxima of rows, between the operations that read rows.
  bool may_join(mlir::Operation* op) const {
    return op->getNumRegions() <= 1 && op->getNumResults() == 1 && mlir::isPure(op) &&
           mlir::isa<mlir::RankedTensorType>(op->getResult(0).getType()) &&
           llvm::any_of(op->getOperands(),
                        [&](Value each) { return known_.of_rows.contains(each); });
  }

  // The operations that only produce operands of the group.
  void go_back() {
    llvm::SmallVector<mlir::Operation*> open(members_.begin(), members_.end());
    while (!open.empty()) {
      auto op = mlir::cast<GenericOp>(open.pop_back_val());
      for (mlir::OpOperand* operand : op.getDpsInputOperands()) {
        const auto dimension = dimension_in(op.getMatchingIndexingMap(operand), group_.loops[op]);
        auto made = operand->get().getDefiningOp<GenericOp>();
        if (!dimension || !made || members_.contains(made) || !serves_group(made, *dimension)) {
          continue;
        }
        members_.insert(made);
        along_[made.getResult(0)] = *dimension;
        open.push_back(made);
      }
    }
  }

  bool serves_group(GenericOp op, unsigned dimension) {
    if (op->getBlock() != block_ || !is_simple(op)) return false;
    const auto loop =
        mlir::dyn_cast<mlir::AffineDimExpr>(op.getIndexingMapsArray().back().getResult(dimension));
    const bool read_here = llvm::all_of(
        op->getUsers(), [&](mlir::Operation* user) { return members_.contains(user); });
    if (!loop || !read_here || !may_shorten(op, loop.getPosition())) return false;
    group_.loops[op] = loop.getPosition();
    return true;
  }

  // Whether the positions have no other readers, and the group's values none before its end.
  bool is_closed() {
    mlir::Operation* last = seed_;
    for (mlir::Operation* op : members_) {
      if (last->isBeforeInBlock(op)) last = op;
    }
    for (mlir::Operation* op : joined_) {
      if (op->isBeforeInBlock(last)) members_.insert(op);
    }
    const auto reads_too_early = [&](mlir::Operation* user) {
      mlir::Operation* here = block_->findAncestorOpInBlock(*user);
      return !members_.contains(user) && (here == nullptr || here->isBeforeInBlock(last));
    };
    for (mlir::Operation* op : members_) {
      if (llvm::any_of(op->getUsers(), reads_too_early)) return false;
    }
    for (const auto& [value, dimension] : along_) {
      for (mlir::Operation* user : value.getUsers()) {
        if (!members_.contains(user)) return false;
      }
    }
    return llvm::any_of(members_, [&](mlir::Operation* op) {
      return attribute::precision.is_on(op) && group_.loops.contains(op);
    });
  }

  void finish() {
    for (mlir::Operation& op : *block_) {
      if (!members_.contains(&op)) continue;
      group_.operations.push_back(&op);
      if (auto generic = mlir::dyn_cast<GenericOp>(op)) {
        std::int64_t steps = 1;
        for (const std::int64_t range : generic.getStaticLoopRanges()) steps *= range;
        if (group_.loops.contains(&op)) group_.steps += steps;
      }
      for (const Value result : op.getResults()) {
        const bool is_read = llvm::any_of(
            result.getUsers(), [&](mlir::Operation* user) { return !members_.contains(user); });
        if (is_read) group_.results.push_back(result);
      }
    }
  }

  GenericOp seed_;
  mlir::Block* block_;
  MaskedGroup group_;
  TailOperands known_;
  llvm::DenseMap<Value, unsigned> along_;  // their dimension of positions
  llvm::DenseSet<mlir::Operation*> members_;
  llvm::SmallVector<mlir::Operation*> joined_;
};

}  // namespace

std::optional<unsigned> MaskedGroup::dimension_of(GenericOp op, mlir::OpOperand& operand) const {
  const auto loop = loops.find(op);
  if (loop == loops.end()) return std::nullopt;
  return dimension_in(op.getMatchingIndexingMap(&operand), loop->second);
}

bool may_mask(GenericOp op) { return mask_of(op).has_value(); }

std::optional<MaskedGroup> masked_group(GenericOp op) { return Finder(op).run(); }

}  // namespace tandem::compiler
