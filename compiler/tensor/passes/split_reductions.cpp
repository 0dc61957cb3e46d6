// Reductions over several dimensions, in stages that suit the vector units.
//
// The row layout reduces along lanes, the flat layout over whole vectors; a reduction that fits
// neither is processed one element at a time. So it is split: some of the reduced loops become
// loops of a tensor of partial results, which starts with the neutral value, and a second reduction
// combines those.
//
//   reduced, innermost    [n, c, h, w] -> [c]      along w and h first, then over n
//   all of it             [m, n] -> []             over m first, for n in parallel, then along n
//   the leading ones      [b, h, w, c] -> [c]      over b and h first, for w and c in parallel
//   few columns           [n, 8] -> [8]            n as [n / 64, 64], over n / 64 first
//
// The order of the reduced elements is free, as it is for XLA.
//
// The innermost loops are kept until there is about one vector of them. A single loop over few
// columns is cut by its map, without a reshape, so fused operations stay fused (decision 152).
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/combiner.hpp"
#include "compiler/views/residence.hpp"
#include "isa/parameters.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::AffineExpr;
using mlir::AffineMap;
using mlir::Value;
using mlir::linalg::GenericOp;
using Iterator = mlir::utils::IteratorType;
using Loops = llvm::SmallVector<unsigned>;

// A reduction with one result whose body ends in an operation for which the order of elements does
// not matter.
struct Reduction {
  GenericOp op;
  mlir::Operation* combiner = nullptr;
  mlir::TypedAttr neutral;
  Loops kept;     // loops of the result, outermost first
  Loops reduced;  // outermost first
  llvm::SmallVector<std::int64_t> sizes;
};

std::optional<Reduction> reduction_of(GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumResults() != 1 || attribute::precision.is_on(op)) {
    return std::nullopt;
  }
  Reduction result{op, nullptr, {}, {}, {}, op.getStaticLoopRanges()};
  for (const std::int64_t size : result.sizes) {
    if (mlir::ShapedType::isDynamic(size) || size == 0) return std::nullopt;
  }
  const AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isProjectedPermutation()) return std::nullopt;
  for (const AffineExpr expression : map.getResults()) {
    result.kept.push_back(mlir::cast<mlir::AffineDimExpr>(expression).getPosition());
  }
  for (const auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    if (kind == Iterator::reduction) result.reduced.push_back(static_cast<unsigned>(loop));
  }
  if (result.reduced.empty()) return std::nullopt;
  mlir::Operation* last = combiner_of(op);
  if (last == nullptr) return std::nullopt;
  const auto neutral = mlir::arith::getNeutralElement(last);
  if (!neutral || last->getNumOperands() != 2) return std::nullopt;
  result.combiner = last;
  result.neutral = *neutral;
  return result;
}

class Splitter {
 public:
  explicit Splitter(const Parameters& machine) : machine_(machine) {}

  // Splits until there is no gain any more.
  void split(GenericOp op) const {
    const auto reduction = reduction_of(op);
    if (!reduction || is_matched_twice(*reduction)) return;
    if (const Loops partial = stay(*reduction); !partial.empty()) {
      // Short rows that are not reduced give a first stage with loops around them.
      const bool stays_narrow = partial.front() == order(*reduction).back();
      const auto [first, rest] = by_loops(*reduction, partial);
      if (stays_narrow) split(first);
      split(rest);
    } else if (const std::int64_t part = part_of_loop(*reduction); part != 0) {
      split(by_parts(*reduction, part).rest);
    }
  }

 private:
  struct Stages {
    GenericOp first;
    GenericOp rest;
  };

  [[nodiscard]] std::int64_t vector() const { return machine_.vector_words(); }

  // Elements of windows overlap: their loops are handled together.
  static bool is_matched_twice(const Reduction& reduction) {
    GenericOp op = reduction.op;
    return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
      return !map.isProjectedPermutation(/*allowZeroInResults=*/true);
    });
  }

  static std::int64_t product(const Reduction& reduction, llvm::ArrayRef<unsigned> loops) {
    std::int64_t result = 1;
    for (const unsigned loop : loops) result *= reduction.sizes[loop];
    return result;
  }

  // Loops of more than one iteration, in the order of the operand that has most of them: the order
  // of elements in memory.
  static Loops order(const Reduction& reduction) {
    GenericOp op = reduction.op;
    Loops best;
    for (mlir::OpOperand* input : op.getDpsInputOperands()) {
      Loops loops;
      for (const AffineExpr expression : op.getMatchingIndexingMap(input).getResults()) {
        const auto loop = mlir::dyn_cast<mlir::AffineDimExpr>(expression);
        if (loop && reduction.sizes[loop.getPosition()] > 1) loops.push_back(loop.getPosition());
      }
      if (loops.size() > best.size()) best = std::move(loops);
    }
    return best;
  }

  // The reduced loops that become loops of partial results. None: no split.
  [[nodiscard]] Loops stay(const Reduction& reduction) const {
    const Loops loops = order(reduction);
    const auto is_reduced = [&](unsigned loop) {
      return llvm::is_contained(reduction.reduced, loop);
    };
    Loops counting;
    for (const unsigned loop : loops) {
      if (is_reduced(loop)) counting.push_back(loop);
    }
    if (counting.size() < 2) return {};
    const bool keeps_any = counting.size() != loops.size();
    const bool along_lanes = is_reduced(loops.back());
    // Reduced loops from the innermost one outwards, without a gap.
    Loops trailing;
    for (const unsigned loop : llvm::reverse(loops)) {
      if (!is_reduced(loop)) break;
      trailing.push_back(loop);
    }
    const Loops leading(
        counting.begin(),
        counting.begin() + static_cast<std::ptrdiff_t>(counting.size() - trailing.size()));
    constexpr std::int64_t narrow = 32;
    if (along_lanes && keeps_any) {
      if (leading.empty()) return {};  // rows, however many loops they have
      return product(reduction, trailing) >= narrow ? leading : trailing;
    }
    // The innermost loops are kept until there are a few vectors of them: whole vectors are added.
    Loops partial;
    std::int64_t width = 1;
    for (const unsigned loop : llvm::reverse(loops)) {
      if (width >= vector() / 2) break;
      width *= reduction.sizes[loop];
      if (is_reduced(loop)) partial.push_back(loop);
    }
    // Long rows are reduced along lanes, and few vectors are not worth a second reduction.
    if (width > 16 * vector() || partial.size() == counting.size()) {
      if (!along_lanes) return {};
      partial.assign(counting.begin(), counting.end() - 1);
    }
    return partial;
  }

  // Whether a matrix product has or makes the value: its rows are at rows of VMEM.
  static bool is_beside_contraction(Value value) {
    const auto is_one = [](mlir::Operation* other) {
      return other != nullptr && attribute::precision.is_on(other);
    };
    return is_one(value.getDefiningOp()) || llvm::any_of(value.getUsers(), is_one);
  }

  // Whether rows are separate in VMEM, so that parts of the loop would not be adjacent: those that
  // fill half of it or more (tpu/rows/down_columns.cpp), or those of a product. Not where an
  // argument without other readers has no layout yet (widen_rows.cpp).
  [[nodiscard]] bool goes_down_columns(const Reduction& reduction, const Loops& order) const {
    GenericOp op = reduction.op;
    if (order.size() != 2 || op.getNumDpsInputs() == 0) return false;
    const auto lanes = static_cast<std::int64_t>(machine_.lanes);
    const std::int64_t columns = reduction.sizes[order.back()];
    const std::int64_t rows = reduction.sizes[order.front()];
    const auto type =
        mlir::MemRefType::get({rows, columns}, mlir::Float32Type::get(op.getContext()));
    const Value first = op.getDpsInputs().front();
    const bool has_no_layout =
        first.hasOneUse() && first.getDefiningOp<mlir::bufferization::ToTensorOp>();
    if (pitched_words(type, lanes) == rows * columns || has_no_layout) return false;
    return 2 * columns >= lanes || llvm::any_of(op.getDpsInputs(), is_beside_contraction);
  }

  // For one reduced loop over few columns, or without other loops: the number of its elements
  // processed in parallel. 0: none.
  [[nodiscard]] std::int64_t part_of_loop(const Reduction& reduction) const {
    const Loops loops = order(reduction);
    if (loops.size() < 2) return 0;
    Loops counting;
    for (const unsigned loop : loops) {
      if (llvm::is_contained(reduction.reduced, loop)) counting.push_back(loop);
    }
    if (counting.size() != 1 || counting.front() == loops.back()) return 0;
    std::int64_t width = 1;
    for (const unsigned loop : llvm::reverse(loops)) {
      if (loop == counting.front()) break;
      width *= reduction.sizes[loop];
    }
    if (width >= vector() / 2 || goes_down_columns(reduction, loops)) return 0;
    const std::int64_t size = reduction.sizes[counting.front()];
    constexpr std::int64_t few = 7;
    // The remainder of short ones is added in a few cycles.
    if (!threshold::split_loop(size)) return 0;
    std::int64_t best = 0;
    std::int64_t whole = 0;  // whole rows of VMEM are used in place
    for (std::int64_t part = 2; part <= size / few && part * width <= 8 * vector(); ++part) {
      if (size % part != 0) continue;
      const bool is_short = part * width <= 2 * vector();
      if (is_short) best = part;
      if (part * width % machine_.lanes != 0) continue;
      if (whole == 0 || (is_short && cycles(size, part, width) < cycles(size, whole, width))) {
        whole = part;
      }
    }
    return whole != 0 ? whole : best;
  }

  // An estimate for both stages: the parts of an iteration are whole rows of VMEM, added to others
  // one iteration after the other or eight at a time (tpu/rows/down_columns.cpp).
  [[nodiscard]] std::int64_t cycles(std::int64_t size, std::int64_t part,
                                    std::int64_t width) const {
    constexpr std::int64_t of_sum = 2;  // one iteration's addition waits for the last one's
    constexpr std::int64_t of_chunk = 4;
    constexpr std::int64_t at_the_end = 16;
    constexpr std::int64_t of_part = 2;
    const std::int64_t iterations = size / part;
    const std::int64_t chunks = part * width / machine_.lanes;
    const std::int64_t one_by_one =
        iterations * std::max(of_sum, llvm::divideCeilSigned(chunks, std::int64_t{sublanes}));
    const std::int64_t by_eight =
        llvm::divideCeilSigned(iterations, std::int64_t{sublanes}) * chunks + chunks * of_chunk +
        at_the_end;
    return of_part * part + (chunks % 2 == 0 ? one_by_one : std::min(one_by_one, by_eight));
  }

  Value begun(mlir::OpBuilder& builder, const Reduction& reduction,
              llvm::ArrayRef<std::int64_t> shape) const {
    GenericOp op = reduction.op;
    const mlir::Location loc = op.getLoc();
    const auto type = mlir::cast<mlir::RankedTensorType>(op.getResult(0).getType());
    const Value empty = mlir::tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
    const Value neutral = mlir::arith::ConstantOp::create(builder, loc, reduction.neutral);
    return mlir::linalg::FillOp::create(builder, loc, neutral, empty).getResult(0);
  }

  // The operation itself, with other loops, inputs and maps, into partial results.
  static GenericOp partial_results(mlir::OpBuilder& builder, const Reduction& reduction,
                                   mlir::ValueRange inputs, Value init,
                                   llvm::ArrayRef<AffineMap> maps,
                                   llvm::ArrayRef<Iterator> iterators,
                                   llvm::function_ref<Value(mlir::OpBuilder&, unsigned)> index) {
    GenericOp op = reduction.op;
    return GenericOp::create(
        builder, op.getLoc(), init.getType(), inputs, init, maps, iterators,
        [&](mlir::OpBuilder& nested, mlir::Location, mlir::ValueRange arguments) {
          mlir::IRMapping map;
          mlir::Block* body = op.getBody();
          for (unsigned i = 0; i < op.getNumDpsInputs(); ++i) {
            map.map(body->getArgument(i), arguments[i]);
          }
          map.map(body->getArguments().back(), arguments[op.getNumDpsInputs()]);
          for (mlir::Operation& inner : *body) {
            if (auto number = mlir::dyn_cast<mlir::linalg::IndexOp>(inner)) {
              map.map(number.getResult(), index(nested, static_cast<unsigned>(number.getDim())));
            } else {
              nested.clone(inner, map);
            }
          }
        });
  }

  // Combines the partial results into the result; `loops` of the tensor are reduced.
  static GenericOp rest_of(mlir::OpBuilder& builder, const Reduction& reduction, Value partial,
                           llvm::ArrayRef<bool> reduced) {
    GenericOp op = reduction.op;
    const auto rank = static_cast<unsigned>(reduced.size());
    llvm::SmallVector<AffineExpr> kept;
    llvm::SmallVector<Iterator> iterators;
    for (unsigned i = 0; i < rank; ++i) {
      iterators.push_back(reduced[i] ? Iterator::reduction : Iterator::parallel);
      if (!reduced[i]) kept.push_back(builder.getAffineDimExpr(i));
    }
    const Value init = op.getDpsInits().front();
    auto rest = GenericOp::create(
        builder, op.getLoc(), init.getType(), partial, init,
        llvm::ArrayRef<AffineMap>{builder.getMultiDimIdentityMap(rank),
                                  AffineMap::get(rank, 0, kept, builder.getContext())},
        iterators, [&](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange arguments) {
          mlir::OperationState state(loc, reduction.combiner->getName(), arguments,
                                     reduction.combiner->getResultTypes(),
                                     reduction.combiner->getAttrs());
          mlir::linalg::YieldOp::create(nested, loc, nested.create(state)->getResult(0));
        });
    op.replaceAllUsesWith(rest);
    op.erase();
    return rest;
  }

  // The loops `partial` are parallel first, in the order of the operation's loops.
  [[nodiscard]] Stages by_loops(const Reduction& reduction, const Loops& partial) const {
    GenericOp op = reduction.op;
    mlir::OpBuilder builder(op);
    llvm::SmallVector<Iterator> iterators = op.getIteratorTypesArray();
    for (const unsigned loop : partial) iterators[loop] = Iterator::parallel;
    // Loops of the result keep their order among each other.
    llvm::SmallVector<std::int64_t> shape;
    llvm::SmallVector<AffineExpr> expressions;
    llvm::SmallVector<bool> reduced;
    auto next = reduction.kept.begin();
    for (unsigned loop = 0; loop < iterators.size(); ++loop) {
      if (iterators[loop] == Iterator::reduction) continue;
      const bool is_partial = llvm::is_contained(partial, loop);
      const unsigned shown = is_partial ? loop : *next++;
      shape.push_back(reduction.sizes[shown]);
      expressions.push_back(builder.getAffineDimExpr(shown));
      reduced.push_back(is_partial);
    }
    auto maps = op.getIndexingMapsArray();
    maps.back() = AffineMap::get(static_cast<unsigned>(iterators.size()), 0, expressions,
                                 builder.getContext());
    const auto index = [&](mlir::OpBuilder& nested, unsigned loop) -> Value {
      return mlir::linalg::IndexOp::create(nested, op.getLoc(), loop);
    };
    auto first = partial_results(builder, reduction, op.getDpsInputs(),
                                 begun(builder, reduction, shape), maps, iterators, index);
    return {first, rest_of(builder, reduction, first.getResult(0), reduced)};
  }

  // Dimension `at` of a tensor as iterations over `part` elements.
  static Value in_parts(mlir::OpBuilder& builder, Value value, std::size_t at, std::int64_t part) {
    const auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
    llvm::SmallVector<std::int64_t> shape(type.getShape());
    shape[at] /= part;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at) + 1, part);
    llvm::SmallVector<mlir::ReassociationIndices> groups;
    for (std::int64_t i = 0, next = 0; i < type.getRank(); ++i) {
      groups.push_back({next++});
      if (i == static_cast<std::int64_t>(at)) groups.back().push_back(next++);
    }
    return mlir::tensor::ExpandShapeOp::create(
        builder, value.getLoc(), mlir::RankedTensorType::get(shape, type.getElementType()), value,
        groups);
  }

  // The number of loops of the result outside `loop` in memory. None where they have another order.
  static std::size_t outside(const Reduction& reduction, const Loops& order, unsigned loop) {
    const Loops before(order.begin(), llvm::find(order, loop));
    Loops counting;
    for (const unsigned kept : reduction.kept) {
      if (reduction.sizes[kept] > 1) counting.push_back(kept);
    }
    const bool is_same = counting.size() == reduction.kept.size() &&
                         before.size() <= counting.size() &&
                         llvm::equal(before, llvm::ArrayRef(counting).take_front(before.size()));
    return is_same ? before.size() : 0;
  }

  // The only reduced loop, of n, becomes n / part iterations over `part` parallel elements.
  [[nodiscard]] Stages by_parts(const Reduction& reduction, std::int64_t part) const {
    GenericOp op = reduction.op;
    mlir::OpBuilder builder(op);
    const Loops order_of_loops = order(reduction);
    const unsigned loop = *llvm::find_if(
        order_of_loops, [&](unsigned l) { return llvm::is_contained(reduction.reduced, l); });
    const auto count = static_cast<unsigned>(reduction.sizes.size());
    const unsigned inner = count;  // the new loop, of `part`
    llvm::SmallVector<Iterator> iterators = op.getIteratorTypesArray();
    iterators.push_back(Iterator::parallel);
    llvm::SmallVector<Value> inputs;
    llvm::SmallVector<AffineMap> maps;
    for (mlir::OpOperand* input : op.getDpsInputOperands()) {
      const AffineMap map = op.getMatchingIndexingMap(input);
      llvm::SmallVector<AffineExpr> read(map.getResults());
      auto* const at = llvm::find(read, builder.getAffineDimExpr(loop));
      const auto position = static_cast<std::size_t>(at - read.begin());
      const bool has_loop = at != read.end();
      inputs.push_back(has_loop ? in_parts(builder, input->get(), position, part) : input->get());
      if (has_loop) read.insert(at + 1, builder.getAffineDimExpr(inner));
      maps.push_back(AffineMap::get(count + 1, 0, read, builder.getContext()));
    }
    maps.emplace_back();
    llvm::SmallVector<std::int64_t> shape;
    llvm::SmallVector<AffineExpr> expressions;
    llvm::SmallVector<bool> reduced;
    for (const unsigned kept : reduction.kept) {
      shape.push_back(reduction.sizes[kept]);
      expressions.push_back(builder.getAffineDimExpr(kept));
      reduced.push_back(false);
    }
    // At its position in memory, next to the loops inside it.
    const auto at = static_cast<std::ptrdiff_t>(outside(reduction, order_of_loops, loop));
    shape.insert(shape.begin() + at, part);
    expressions.insert(expressions.begin() + at, builder.getAffineDimExpr(inner));
    reduced.insert(reduced.begin() + at, true);
    maps.back() = AffineMap::get(count + 1, 0, expressions, builder.getContext());
    const auto index = [&](mlir::OpBuilder& nested, unsigned number) -> Value {
      const mlir::Location loc = op.getLoc();
      const Value outer = mlir::linalg::IndexOp::create(nested, loc, number);
      if (number != loop) return outer;
      const Value size = mlir::arith::ConstantIndexOp::create(nested, loc, part);
      const Value start = mlir::arith::MulIOp::create(nested, loc, outer, size);
      return mlir::arith::AddIOp::create(nested, loc, start,
                                         mlir::linalg::IndexOp::create(nested, loc, inner));
    };
    auto first = partial_results(builder, reduction, inputs, begun(builder, reduction, shape), maps,
                                 iterators, index);
    return {first, rest_of(builder, reduction, first.getResult(0), reduced)};
  }

  const Parameters& machine_;
};

struct SplitReductions : FunctionPass<SplitReductions, PassName::split_reductions> {
  explicit SplitReductions(const Parameters& machine) : machine(machine) {}

  void run() {
    llvm::SmallVector<GenericOp> all;
    getOperation().walk([&](GenericOp op) { all.push_back(op); });
    for (GenericOp op : all) Splitter(machine).split(op);
  }

  const Parameters& machine;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_split_reductions_pass(const Parameters& machine) {
  return std::make_unique<SplitReductions>(machine);
}

}  // namespace tandem::compiler
