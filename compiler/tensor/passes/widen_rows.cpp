// Operations with short rows have longer ones.
//
// A row of the innermost loop takes whole rows of VMEM and whole beats of memory, however short it
// is. Where loops next to it are also adjacent in memory, they become one:
//
//   [n, c, h, w] + [c]              rows of h w instead of w
//   [n, h, w, 8, 8] - [n, 8]        (group norm) rows of 64: [n, 8] becomes a tensor [n, 64]
//   [1000, 3] * [3]                 as [8, 375] * [375]
//
// Operands with only some of these loops are first repeated along the others, where that is little
// compared with the whole. The other shapes come from reshapes without cost.
//
// Rows next to matrix products stay, as those have a layout of their own. Allocating buffers with
// the longer rows of two views cost up to 28% in repeats and rotary pairs (decision 162).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "compiler/tensor/with_loops.hpp"
#include "isa/parameters.hpp"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::AffineMap;
using mlir::Value;
using mlir::linalg::GenericOp;
using Iterator = mlir::utils::IteratorType;
using Loops = llvm::SmallVector<unsigned>;
using Groups = llvm::SmallVector<mlir::ReassociationIndices>;
using Shape = llvm::SmallVector<std::int64_t>;

Loops loops_of(AffineMap map) {
  Loops loops;
  for (const mlir::AffineExpr expression : map.getResults()) {
    loops.push_back(mlir::cast<mlir::AffineDimExpr>(expression).getPosition());
  }
  return loops;
}

// Dimensions of a tensor, `count` of them from `first` on merged into one.
Groups one_group(std::size_t rank, std::size_t first, std::size_t count) {
  Groups groups;
  for (std::size_t i = 0; i < rank; ++i) {
    if (i > first && i < first + count) {
      groups.back().push_back(static_cast<std::int64_t>(i));
    } else {
      groups.push_back({static_cast<std::int64_t>(i)});
    }
  }
  return groups;
}

// The number of dimensions in the last group; none where one of the shapes is a scalar.
std::size_t innermost(const Groups& groups) { return groups.empty() ? 0 : groups.back().size(); }

// The loops that become one, outermost first; only every `part` indices of the first one.
struct Group {
  Loops loops;
  std::int64_t part = 0;   // of the first loop, 0: all of it
  std::int64_t width = 1;  // length of the row that they make
};

class Widening {
 public:
  Widening(GenericOp op, const Parameters& machine)
      : op_(op), machine_(machine), lanes_(machine.lanes), sizes_(op.getStaticLoopRanges()) {}

  // Gives the operation longer rows, if possible.
  void run() {
    if (!is_simple()) return;
    const auto natural = natural_group();
    const auto group = natural ? natural : wide_group();
    if (!group) return;
    const GenericOp wide = widen(*group);
    // A dimension that a reshape has split may be short as a whole, too.
    if (natural) Widening(wide, machine_).run();
  }

 private:
  static constexpr std::int64_t most_chunks = 8;  // rows of VMEM per row

  enum class Has { none, all, some };

  [[nodiscard]] bool is_simple() {
    const auto is_static = [](std::int64_t size) {
      return !mlir::ShapedType::isDynamic(size) && size > 0;
    };
    const bool only_moves = op_.getBody()->getOperations().size() == 1;
    if (op_.getNumResults() != 1 || only_moves || attribute::precision.is_on(op_) ||
        op_.hasIndexSemantics() || !llvm::all_of(sizes_, is_static) ||
        !llvm::all_of(op_.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isProjectedPermutation(); })) {
      return false;
    }
    made_ = loops_of(op_.getIndexingMapsArray().back());
    if (made_.size() < 2) return false;
    if (sizes_[made_.back()] >= lanes_ && !is_reduced_in_part() &&
        (sizes_[made_.back()] % lanes_ == 0 || !is_sum_of_argument())) {
      return false;
    }
    // Rows of the result are rows of its operands.
    return llvm::any_of(op_.getDpsInputOperands(), [&](mlir::OpOperand* input) {
      const Loops loops = loops_of(op_.getMatchingIndexingMap(input));
      return !loops.empty() && loops.back() == made_.back();
    });
  }

  [[nodiscard]] Has has(llvm::ArrayRef<unsigned> loops, const Group& group) const {
    const auto* const first = llvm::find(loops, group.loops.front());
    const auto count = static_cast<std::size_t>(loops.end() - first);
    if (count >= group.loops.size() &&
        llvm::ArrayRef(first, group.loops.size()) == llvm::ArrayRef(group.loops)) {
      return Has::all;
    }
    const bool any =
        llvm::any_of(loops, [&](unsigned loop) { return llvm::is_contained(group.loops, loop); });
    return any ? Has::some : Has::none;
  }

  [[nodiscard]] std::int64_t product(llvm::ArrayRef<unsigned> loops) const {
    std::int64_t result = 1;
    for (const unsigned loop : loops) result *= sizes_[loop];
    return result;
  }

  // The number of executions of the body.
  [[nodiscard]] std::int64_t all() const {
    std::int64_t result = 1;
    for (const std::int64_t size : sizes_) result *= size;
    return result;
  }

  // The last `count` loops of the result.
  [[nodiscard]] Group last(std::size_t count) const {
    Group group;
    group.loops.assign(made_.end() - static_cast<std::ptrdiff_t>(count), made_.end());
    group.width = product(group.loops);
    return group;
  }

  // Whether operands with only some of the loops are small, repeated along the others.
  [[nodiscard]] bool is_cheap(const Group& group) const {
    bool whole = false;
    for (mlir::OpOperand& operand : op_->getOpOperands()) {
      const Loops loops = loops_of(op_.getMatchingIndexingMap(&operand));
      const Has how = has(loops, group);
      if (op_.isDpsInit(&operand)) {
        if (how != Has::all) return false;
        continue;
      }
      whole = whole || (how == Has::all && loops.back() == made_.back());
      if (how == Has::some && 4 * repeated_size(loops, group) > all()) return false;
      // Every operand has all or none of a loop in parts.
      if (group.part != 0 && how == Has::some && llvm::is_contained(loops, group.loops.front())) {
        return false;
      }
    }
    return whole;
  }

  [[nodiscard]] std::int64_t repeated_size(llvm::ArrayRef<unsigned> loops,
                                           const Group& group) const {
    std::int64_t size = group.width;
    for (const unsigned loop : loops) {
      if (!llvm::is_contained(group.loops, loop)) size *= sizes_[loop];
    }
    return size;
  }

  [[nodiscard]] bool is_parallel(const Group& group) const {
    const auto kinds = op_.getIteratorTypesArray();
    return llvm::all_of(group.loops,
                        [&](unsigned loop) { return kinds[loop] == Iterator::parallel; });
  }

  // The loops that a reshape next to the operation has split.
  [[nodiscard]] std::optional<Group> natural_group() const {
    std::size_t count = 0;
    for (mlir::OpOperand* input : op_.getDpsInputOperands()) {
      auto expand = input->get().getDefiningOp<tensor::ExpandShapeOp>();
      if (!expand) continue;
      const std::size_t parts = innermost(expand.getReassociationIndices());
      const Loops loops = loops_of(op_.getMatchingIndexingMap(input));
      if (parts <= made_.size() && llvm::equal(llvm::ArrayRef(loops).take_back(parts),
                                               llvm::ArrayRef(made_).take_back(parts))) {
        count = std::max(count, parts);
      }
    }
    for (mlir::Operation* user : op_->getUsers()) {
      auto collapse = mlir::dyn_cast<tensor::CollapseShapeOp>(user);
      if (collapse) count = std::max(count, innermost(collapse.getReassociationIndices()));
    }
    if (count < 2) return std::nullopt;
    const Group group = last(count);
    if (!is_parallel(group) || !is_cheap(group)) return std::nullopt;
    return group;
  }

  // The part of its VMEM rows that a row fills.
  [[nodiscard]] double filled(std::int64_t width) const {
    const std::int64_t rows = (width + lanes_ - 1) / lanes_;
    return static_cast<double>(width) / static_cast<double>((rows == 1 ? rows : rows | 1) * lanes_);
  }

  // The loops that fill their VMEM rows best, and the fewest of these. Where all operands have all
  // loops the flat layout needs no rows.
  [[nodiscard]] std::optional<Group> wide_group() const {
    const bool is_narrow =
        sizes_[made_.back()] <= std::max<std::int64_t>(lanes_ / 2, sublanes - 1) ||
        is_reduced_in_part();
    if (!is_narrow && is_sum_of_argument()) return last(made_.size());
    if (!is_narrow || has_all_loops() || is_beside_contraction()) return std::nullopt;
    // Iterations over whole vectors use all operands in place.
    if (const Group whole = last(made_.size()); made_.size() != sizes_.size() &&
                                                whole.width <= 2 * sublanes * lanes_ &&
                                                is_parallel(whole) && is_cheap(whole)) {
      return whole;
    }
    std::optional<Group> best;
    const auto consider = [&](const Group& group) {
      // Those of a reduction are its iterations.
      const std::int64_t elements = made_.size() == sizes_.size() ? product(made_) : all();
      const bool leaves_rows = elements / group.width >= sublanes;
      if (2 * group.width < lanes_ || !leaves_rows || !is_cheap(group)) return;
      if (!best || filled(group.width) > filled(best->width)) best = group;
    };
    for (std::size_t count = 2; count <= made_.size(); ++count) {
      Group group = last(count);
      if (!is_parallel(group)) break;
      const std::int64_t size = sizes_[group.loops.front()];
      const std::int64_t inner = group.width / size;
      if (inner >= most_chunks * lanes_) break;
      for (std::int64_t part = 2; part <= size && part * inner <= most_chunks * lanes_; ++part) {
        if (size % part != 0) continue;
        group.part = part == size ? 0 : part;
        group.width = part * inner;
        if (group.part == 0 || !has_values_of_rows(group)) consider(group);
      }
    }
    return best;
  }

  // A reduction of rows that each are one of VMEM, to several of them.
  [[nodiscard]] bool is_reduced_in_part() const {
    return made_.size() != sizes_.size() && sizes_[made_.back()] == lanes_;
  }

  // The first stage of a reduction that is the only reader of an argument, whose rows have no
  // layout yet: all loops that are not reduced become one row, if it is whole rows of VMEM.
  [[nodiscard]] bool is_sum_of_argument() const {
    const Group whole = last(made_.size());
    if (made_.size() == sizes_.size() || whole.width % lanes_ != 0 || !is_parallel(whole) ||
        op_.getNumDpsInputs() != 1 || !is_cheap(whole)) {
      return false;
    }
    Value value = op_.getDpsInputs().front();
    while (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>()) {
      if (!value.hasOneUse()) return false;
      value = expand.getSrc();
    }
    return value.hasOneUse() && value.getDefiningOp<mlir::bufferization::ToTensorOp>();
  }

  // Whether an operand has one value for rows of the group, which splitting a loop would repeat.
  [[nodiscard]] bool has_values_of_rows(const Group& group) const {
    return llvm::any_of(op_.getIndexingMapsArray(), [&](AffineMap map) {
      return map.getNumResults() > 0 && has(loops_of(map), group) == Has::none;
    });
  }

  // Contractions have rows of their own.
  [[nodiscard]] bool is_beside_contraction() const {
    const auto is_one = [](mlir::Operation* other) {
      return other != nullptr && attribute::precision.is_on(other);
    };
    return llvm::any_of(op_->getOperands(),
                        [&](Value value) { return is_one(value.getDefiningOp()); }) ||
           llvm::any_of(op_->getUsers(), is_one);
  }

  [[nodiscard]] bool has_all_loops() const {
    return llvm::all_of(op_.getIndexingMapsArray(),
                        [](AffineMap map) { return map.getNumResults() == map.getNumDims(); });
  }

  // The operand with the group's dimensions as one, in rows of `width`.
  static Value joined(mlir::OpBuilder& builder, mlir::Location loc, Value value, std::size_t at,
                      const Group& group) {
    const auto rank = static_cast<std::size_t>(tensor_type_of(value).getRank());
    if (group.part != 0) {
      Shape shape(tensor_type_of(value).getShape());
      const std::int64_t size = shape[at];
      shape[at] = size / group.part;
      shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1, group.part);
      value = tensor::ExpandShapeOp::create(
          builder, loc, mlir::RankedTensorType::get(shape, tensor_type_of(value).getElementType()),
          value, one_group(rank + 1, at, 2));
      return tensor::CollapseShapeOp::create(builder, loc, value,
                                             one_group(rank + 1, at + 1, group.loops.size()));
    }
    return tensor::CollapseShapeOp::create(builder, loc, value,
                                           one_group(rank, at, group.loops.size()));
  }

  // Back to its original shape.
  static Value apart(mlir::OpBuilder& builder, mlir::Location loc, Value value,
                     mlir::RankedTensorType type, std::size_t at, const Group& group) {
    const auto rank = static_cast<std::size_t>(type.getRank());
    if (group.part == 0) {
      return tensor::ExpandShapeOp::create(builder, loc, type, value,
                                           one_group(rank, at, group.loops.size()));
    }
    Shape shape(type.getShape());
    shape[at] /= group.part;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1, group.part);
    value = tensor::ExpandShapeOp::create(builder, loc,
                                          mlir::RankedTensorType::get(shape, type.getElementType()),
                                          value, one_group(rank + 1, at + 1, group.loops.size()));
    return tensor::CollapseShapeOp::create(builder, loc, value, one_group(rank + 1, at, 2));
  }

  // An operand with some of the group's loops, repeated along all of them.
  Value repeated(mlir::OpBuilder& builder, mlir::OpOperand& operand, const Group& group,
                 Loops& loops) const {
    Loops all;
    for (const unsigned loop : loops) {
      if (!llvm::is_contained(group.loops, loop)) all.push_back(loop);
    }
    llvm::append_range(all, group.loops);
    Shape shape;
    for (const unsigned loop : all) shape.push_back(sizes_[loop]);
    if (group.part != 0) shape[all.size() - group.loops.size()] = group.part;
    llvm::SmallVector<mlir::AffineExpr> read;
    for (const unsigned loop : loops) {
      read.push_back(
          builder.getAffineDimExpr(static_cast<unsigned>(llvm::find(all, loop) - all.begin())));
    }
    loops = all;
    const mlir::Type element = tensor_type_of(operand.get()).getElementType();
    return parallel_generic(
        builder, op_.getLoc(), mlir::RankedTensorType::get(shape, element), operand.get(),
        AffineMap::get(static_cast<unsigned>(all.size()), 0, read, builder.getContext()),
        [](mlir::OpBuilder&, mlir::Location, mlir::ValueRange arguments) {
          return arguments.front();
        });
  }

  // An operand with joined rows, and the loops of the operation that it then has.
  struct Operand {
    Value value;
    Loops loops;
  };

  Operand joined_operand(mlir::OpBuilder& builder, mlir::OpOperand& operand,
                         const Group& group) const {
    Operand result{operand.get(), loops_of(op_.getMatchingIndexingMap(&operand))};
    const Has how = has(result.loops, group);
    if (how == Has::none) return result;
    Group joins = group;
    if (how == Has::some) {
      result.value = repeated(builder, operand, group, result.loops);
      joins.part = 0;  // it has been repeated only along a part
    }
    auto* const first = llvm::find(result.loops, group.loops.front());
    const auto at = static_cast<std::size_t>(first - result.loops.begin());
    result.value = joined(builder, op_.getLoc(), result.value, at, joins);
    // The last loop is that of the row; for a split loop, the first one counts the parts.
    result.loops.erase(first + (joins.part != 0 ? 1 : 0), first + group.loops.size() - 1);
    return result;
  }

  GenericOp widen(const Group& group) {
    mlir::OpBuilder builder(op_);
    llvm::SmallVector<unsigned> gone(group.loops.begin(), group.loops.end() - 1);
    if (group.part != 0) gone.erase(gone.begin());
    llvm::SmallVector<unsigned> number(sizes_.size());  // index of each loop, among those left
    llvm::SmallVector<Iterator> iterators;
    for (unsigned loop = 0; loop < sizes_.size(); ++loop) {
      number[loop] = static_cast<unsigned>(iterators.size());
      if (!llvm::is_contained(gone, loop)) iterators.push_back(op_.getIteratorTypesArray()[loop]);
    }
    llvm::SmallVector<Value> operands;
    llvm::SmallVector<AffineMap> maps;
    for (mlir::OpOperand& operand : op_->getOpOperands()) {
      const Operand with_rows = joined_operand(builder, operand, group);
      llvm::SmallVector<mlir::AffineExpr> read;
      for (const unsigned loop : with_rows.loops) {
        read.push_back(builder.getAffineDimExpr(number[loop]));
      }
      operands.push_back(with_rows.value);
      maps.push_back(
          AffineMap::get(static_cast<unsigned>(iterators.size()), 0, read, builder.getContext()));
    }
    auto wide = with_loops(builder, op_, operands, maps, iterators);
    const Value back =
        apart(builder, op_.getLoc(), wide.getResult(0), tensor_type_of(op_.getResult(0)),
              made_.size() - group.loops.size(), group);
    op_.getResult(0).replaceAllUsesWith(back);
    op_.erase();
    return wide;
  }

  mutable GenericOp op_;  // its accessors are not const
  const Parameters& machine_;
  std::int64_t lanes_;
  Shape sizes_;
  Loops made_;  // loops of the result
};

struct WidenRows : FunctionPass<WidenRows, PassName::widen_rows> {
  explicit WidenRows(const Parameters& machine) : machine(machine) {}

  void run() {
    llvm::SmallVector<GenericOp> all;
    getOperation().walk([&](GenericOp op) { all.push_back(op); });
    for (const GenericOp op : all) Widening(op, machine).run();
  }

  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_widen_rows_pass(const Parameters& machine) {
  return std::make_unique<WidenRows>(machine);
}

}  // namespace tandem::compiler
