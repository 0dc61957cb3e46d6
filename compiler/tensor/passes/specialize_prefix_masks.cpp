// Skips computation on masked positions: attention over a cache of N positions of which the mask
// leaves the first few.
//
// Where the mask ends at a number known at run time (positions <= now), the operations from the
// scores to their product with the values exist several times, each for the first N/8, N/4, N/2, N
// positions, and the program takes the shortest version that covers the mask. After its end weights
// are zero, and zero times a value is nothing: also where that value is an infinity or NaN, as
// docs/compiler.md says.
//
// A loop over tiles of positions with online softmax would keep its state in VMEM, and one or two
// rows give nothing to overlap with that. Finite constants instead of minus infinity are not
// accepted, as they may be a row's maximum (decision 85).
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/masked_group.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace tensor = mlir::tensor;
using mlir::Value;
using mlir::linalg::GenericOp;

// Parts less than these cycles of the vector units are not worth a branch and its text.
constexpr std::int64_t least_cycles = 64;

mlir::RankedTensorType limited(mlir::RankedTensorType type, unsigned dimension,
                               std::int64_t extent) {
  llvm::SmallVector<std::int64_t> shape(type.getShape());
  shape[dimension] = extent;
  return mlir::RankedTensorType::get(shape, type.getElementType());
}

bool is_blank(Value value) {
  return value.getDefiningOp<tensor::EmptyOp>() || value.getDefiningOp<mlir::linalg::FillOp>();
}

// Clones a group of operations, for the first `extent` positions.
class Copier {
 public:
  Copier(mlir::OpBuilder& builder, const MaskedGroup& group, std::int64_t extent)
      : builder_(builder), group_(group), extent_(extent) {}

  // The buffer that results are written to.
  llvm::SmallVector<Value> run(const llvm::SmallVector<Value>& room) {
    for (const auto [result, place] : llvm::zip(group_.results, room)) rooms_[result] = place;
    for (mlir::Operation* op : group_.operations) copy(op);
    llvm::SmallVector<Value> results;
    for (const auto [result, place] : llvm::zip(group_.results, room)) {
      results.push_back(in_room(map_.lookup(result), place));
    }
    return results;
  }

 private:
  void copy(mlir::Operation* op) {
    mlir::Operation* made = builder_.clone(*op, map_);
    auto generic = mlir::dyn_cast<GenericOp>(op);
    if (!generic) return;
    auto clone = mlir::cast<GenericOp>(made);
    mlir::OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPoint(made);
    for (const auto [old, operand] : llvm::zip(generic->getOpOperands(), clone->getOpOperands())) {
      if (generic.isDpsInit(&old)) {
        operand.set(start(generic, old.get()));
      } else if (!map_.contains(old.get())) {
        operand.set(part(old.get(), group_.dimension_of(generic, old)));
      }
    }
    clone->getResult(0).setType(clone.getDpsInits()[0].getType());
  }

  // The destination of the result.
  Value start(GenericOp op, Value init) {
    const auto dimension = group_.dimension_of(op, *op.getDpsInitOperand(0));
    if (!is_blank(init)) return part(map_.lookupOrDefault(init), dimension);
    const auto room = rooms_.find(op.getResult(0));
    Value made = room != rooms_.end() ? room->second : empty(tensor_type_of(init), dimension);
    if (auto fill = init.getDefiningOp<mlir::linalg::FillOp>()) {
      made = mlir::linalg::FillOp::create(builder_, fill.getLoc(), fill.getInputs(), made)
                 .getResult(0);
    }
    return made;
  }

  Value empty(mlir::RankedTensorType type, std::optional<unsigned> dimension) {
    if (dimension) type = limited(type, *dimension, extent_);
    return tensor::EmptyOp::create(builder_, group_.operations.back()->getLoc(), type.getShape(),
                                   type.getElementType());
  }

  // The first positions of a tensor defined outside.
  Value part(Value whole, std::optional<unsigned> dimension) {
    if (!dimension || tensor_type_of(whole).getDimSize(*dimension) == extent_) return whole;
    Value& made = parts_[{whole, *dimension}];
    if (made) return made;
    const auto type = limited(tensor_type_of(whole), *dimension, extent_);
    const llvm::SmallVector<mlir::OpFoldResult> zeros(type.getRank(), builder_.getIndexAttr(0));
    const llvm::SmallVector<mlir::OpFoldResult> ones(type.getRank(), builder_.getIndexAttr(1));
    llvm::SmallVector<mlir::OpFoldResult> sizes;
    for (const std::int64_t size : type.getShape()) sizes.push_back(builder_.getIndexAttr(size));
    made = tensor::ExtractSliceOp::create(builder_, group_.operations.back()->getLoc(), type, whole,
                                          zeros, sizes, ones);
    return made;
  }

  // So that all copies yield the same memory.
  Value in_room(Value made, Value room) {
    auto generic = made.getDefiningOp<GenericOp>();
    if (generic) {
      const Value init = generic.getDpsInits()[0];
      auto fill = init.getDefiningOp<mlir::linalg::FillOp>();
      if (init == room || (fill && fill.getOutputs().front() == room)) return made;
    }
    return mlir::linalg::CopyOp::create(builder_, made.getLoc(), made, room).getResult(0);
  }

  mlir::OpBuilder& builder_;
  const MaskedGroup& group_;
  std::int64_t extent_;
  mlir::IRMapping map_;
  llvm::DenseMap<Value, Value> rooms_;
  llvm::DenseMap<std::pair<Value, unsigned>, Value> parts_;
};

class Skipper {
 public:
  explicit Skipper(const Parameters& machine) : machine_(machine) {}

  void run(MaskedGroup& group) {
    const llvm::SmallVector<std::int64_t> extents = parts(group);
    if (extents.empty()) return;
    mlir::OpBuilder builder(group.operations.back());
    llvm::SmallVector<Value> room;
    for (const Value result : group.results) {
      room.push_back(tensor::EmptyOp::create(builder, result.getLoc(),
                                             tensor_type_of(result).getShape(),
                                             tensor_type_of(result).getElementType()));
    }
    const llvm::SmallVector<Value> made =
        choice(builder, group, limit(builder, group), extents, room);
    for (const auto [old, now] : llvm::zip(group.results, made)) old.replaceAllUsesWith(now);
    for (mlir::Operation* op : llvm::reverse(group.operations)) op->erase();
  }

 private:
  // The numbers of positions for which there are copies, excluding the whole.
  llvm::SmallVector<std::int64_t> parts(const MaskedGroup& group) const {
    const std::int64_t cycles = group.steps / (machine_.vector_words() * 2);
    llvm::SmallVector<std::int64_t> result;
    if (cycles < 2 * least_cycles) return result;
    constexpr std::int64_t most = 8;
    for (std::int64_t factor = most; factor > 1; factor /= 2) {
      const std::int64_t extent = group.positions / factor;
      if (extent * factor == group.positions && extent % machine_.lanes == 0) {
        result.push_back(extent);
      }
    }
    return result;
  }

  // The number at which the mask ends; groups with the same operand share one.
  Value limit(mlir::OpBuilder& builder, const MaskedGroup& group) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(group.mask.where);
    const Value operand = group.mask.limit_operand();
    if (!operand) return limit_outside(builder, group.mask);
    Value& known = limits_[{operand, builder.getInsertionBlock()}];
    if (!known) known = limit_outside(builder, group.mask);
    return known;
  }

  static llvm::SmallVector<Value> choice(mlir::OpBuilder& builder, const MaskedGroup& group,
                                         Value limit, llvm::ArrayRef<std::int64_t> extents,
                                         const llvm::SmallVector<Value>& room) {
    const mlir::Location loc = group.operations.back()->getLoc();
    const Value extent = arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(static_cast<std::int32_t>(extents.front())));
    const auto holds = group.mask.inclusive ? arith::CmpIPredicate::slt : arith::CmpIPredicate::sle;
    const Value is_enough = arith::CmpIOp::create(builder, loc, holds, limit, extent);
    auto choice = mlir::scf::IfOp::create(builder, loc, mlir::ValueRange(room).getTypes(),
                                          is_enough, /*addThenBlock=*/true, /*addElseBlock=*/true);
    fill_in(builder, choice.thenBlock(),
            [&] { return Copier(builder, group, extents.front()).run(room); });
    fill_in(builder, choice.elseBlock(), [&] {
      if (extents.size() == 1) return Copier(builder, group, group.positions).run(room);
      return Skipper::choice(builder, group, limit, extents.drop_front(), room);
    });
    return llvm::SmallVector<Value>(choice.getResults());
  }

  static void fill_in(mlir::OpBuilder& builder, mlir::Block* block,
                      llvm::function_ref<llvm::SmallVector<Value>()> fill) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    const llvm::SmallVector<Value> results = fill();
    mlir::scf::YieldOp::create(builder, block->getParentOp()->getLoc(), results);
  }

  const Parameters& machine_;
  llvm::DenseMap<std::pair<Value, mlir::Block*>, Value> limits_;
};

struct SpecializePrefixMasks
    : FunctionPass<SpecializePrefixMasks, PassName::specialize_prefix_masks> {
  explicit SpecializePrefixMasks(const Parameters& machine) : machine(machine) {}
  void run() {
    llvm::SmallVector<GenericOp> masked;
    getOperation().walk([&](GenericOp op) {
      if (may_mask(op)) masked.push_back(op);
    });
    Skipper skipper(machine);
    llvm::DenseSet<mlir::Operation*> done;
    for (GenericOp op : masked) {
      if (done.contains(op)) continue;
      auto group = masked_group(op);
      if (!group) continue;
      done.insert(group->operations.begin(), group->operations.end());
      skipper.run(*group);
    }
  }
  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_specialize_prefix_masks_pass(const Parameters& machine) {
  return std::make_unique<SpecializePrefixMasks>(machine);
}

}  // namespace tandem::compiler
