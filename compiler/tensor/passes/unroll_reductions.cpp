// Reductions over a few elements between other loops become elementwise operations on slices.
//
//   [n, 2, m] -> [n, m]     x[:, 0] + x[:, 1]
//
// The row layout reduces along lanes and the flat layout over whole vectors that follow each other;
// a loop between rows and columns is neither, and was gone through an element at a time (decision
// 282). Slices are rows like others, so operations before and after them pass values in registers.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/combiner.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace tandem::compiler {
namespace {

namespace tensor = mlir::tensor;
using mlir::AffineExpr;
using mlir::AffineMap;
using mlir::Value;
using mlir::linalg::GenericOp;
using Iterator = mlir::utils::IteratorType;

class Unrolling {
 public:
  explicit Unrolling(GenericOp op) : op_(op), sizes_(op.getStaticLoopRanges()) {}

  void run() {
    if (!finds_loop() || !is_between()) return;
    mlir::OpBuilder builder(op_);
    const AffineMap result = without_loop(op_.getIndexingMapsArray().back());
    llvm::SmallVector<Value> inputs;
    llvm::SmallVector<AffineMap> maps;
    if (!starts_neutral()) {
      inputs.push_back(op_.getDpsInits().front());
      maps.push_back(result);
    }
    for (std::int64_t index = 0; index < size(); ++index) add_slices(builder, index, inputs, maps);
    maps.push_back(result);
    const Value init = op_.getDpsInits().front();
    const auto type = tensor_type_of(init);
    const Value empty =
        tensor::EmptyOp::create(builder, op_.getLoc(), type.getShape(), type.getElementType());
    const llvm::SmallVector<Iterator> kinds(sizes_.size() - 1, Iterator::parallel);
    auto flat = GenericOp::create(
        builder, op_.getLoc(), type, inputs, empty, maps, kinds,
        [&](mlir::OpBuilder& nested, mlir::Location loc, mlir::ValueRange arguments) {
          mlir::linalg::YieldOp::create(nested, loc, combined(nested, arguments));
        });
    op_.replaceAllUsesWith(flat);
    op_.erase();
  }

 private:
  [[nodiscard]] std::int64_t size() const { return sizes_[loop_]; }

  // The only reduced loop, whose elements are combined by one operation.
  [[nodiscard]] bool finds_loop() {
    const auto is_static = [](std::int64_t size) {
      return !mlir::ShapedType::isDynamic(size) && size > 0;
    };
    const auto is_plain = [](AffineMap map) { return map.isProjectedPermutation(); };
    if (op_.getNumReductionLoops() != 1 || op_.getNumResults() != 1 ||
        attribute::precision.is_on(op_) || !llvm::all_of(sizes_, is_static) ||
        !llvm::all_of(op_.getIndexingMapsArray(), is_plain)) {
      return false;
    }
    combiner_ = combiner_of(op_);
    if (combiner_ == nullptr || !mlir::arith::getNeutralElement(combiner_)) return false;
    const auto kinds = op_.getIteratorTypesArray();
    loop_ = static_cast<unsigned>(llvm::find(kinds, Iterator::reduction) - kinds.begin());
    return size() > 1 && !threshold::unrolled_reduction(size());
  }

  // Whether loops of the result are both outside and inside of it, in the operand with most loops.
  [[nodiscard]] bool is_between() {
    llvm::SmallVector<unsigned> best;
    for (mlir::OpOperand* input : op_.getDpsInputOperands()) {
      llvm::SmallVector<unsigned> loops;
      for (const AffineExpr index : op_.getMatchingIndexingMap(input).getResults()) {
        const unsigned loop = mlir::cast<mlir::AffineDimExpr>(index).getPosition();
        if (sizes_[loop] > 1) loops.push_back(loop);
      }
      if (loops.size() > best.size()) best = std::move(loops);
    }
    return llvm::is_contained(best, loop_) && best.front() != loop_ && best.back() != loop_;
  }

  // The map of a slice: loops after the reduced one have a lower number.
  [[nodiscard]] AffineMap without_loop(AffineMap map) const {
    llvm::SmallVector<AffineExpr> read;
    for (const AffineExpr index : map.getResults()) {
      const unsigned loop = mlir::cast<mlir::AffineDimExpr>(index).getPosition();
      if (loop == loop_) continue;
      read.push_back(mlir::getAffineDimExpr(loop > loop_ ? loop - 1 : loop, map.getContext()));
    }
    return AffineMap::get(map.getNumDims() - 1, 0, read, map.getContext());
  }

  // Operands of one iteration.
  void add_slices(mlir::OpBuilder& builder, std::int64_t index, llvm::SmallVector<Value>& inputs,
                  llvm::SmallVector<AffineMap>& maps) {
    for (mlir::OpOperand* input : op_.getDpsInputOperands()) {
      const AffineMap map = op_.getMatchingIndexingMap(input);
      const auto at = map.getResultPosition(mlir::getAffineDimExpr(loop_, map.getContext()));
      inputs.push_back(at ? slice(builder, input->get(), *at, index) : input->get());
      maps.push_back(without_loop(map));
    }
  }

  static Value slice(mlir::OpBuilder& builder, Value value, unsigned at, std::int64_t index) {
    const auto type = tensor_type_of(value);
    llvm::SmallVector<std::int64_t> shape(type.getShape());
    llvm::SmallVector<mlir::OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0));
    llvm::SmallVector<mlir::OpFoldResult> strides(shape.size(), builder.getIndexAttr(1));
    llvm::SmallVector<mlir::OpFoldResult> sizes =
        mlir::getAsIndexOpFoldResult(builder.getContext(), shape);
    offsets[at] = builder.getIndexAttr(index);
    sizes[at] = builder.getIndexAttr(1);
    shape.erase(shape.begin() + at);
    return tensor::ExtractSliceOp::create(builder, value.getLoc(),
                                          mlir::RankedTensorType::get(shape, type.getElementType()),
                                          value, offsets, sizes, strides);
  }

  // Whether the first element alone is what it gives with the value that the result begins with.
  [[nodiscard]] bool starts_neutral() {
    auto fill = op_.getDpsInits().front().getDefiningOp<mlir::linalg::FillOp>();
    mlir::Attribute value;
    return fill && mlir::matchPattern(fill.getInputs().front(), mlir::m_Constant(&value)) &&
           value == mlir::arith::getNeutralElement(combiner_);
  }

  // The bodies of all iterations, one after the other.
  Value combined(mlir::OpBuilder& nested, mlir::ValueRange arguments) {
    const auto inputs = static_cast<std::size_t>(op_.getNumDpsInputs());
    auto next = static_cast<std::size_t>(starts_neutral() ? 0 : 1);
    Value so_far = next == 0 ? Value() : arguments.front();
    for (std::int64_t index = 0; index < size(); ++index, next += inputs) {
      so_far = iteration(nested, index, arguments.slice(next, inputs), so_far);
    }
    return so_far;
  }

  // `so_far`: null where the iteration is the first.
  Value iteration(mlir::OpBuilder& nested, std::int64_t index, mlir::ValueRange inputs,
                  Value so_far) {
    mlir::IRMapping map;
    mlir::Block* body = op_.getBody();
    for (const auto [argument, input] : llvm::zip(body->getArguments(), inputs)) {
      map.map(argument, input);
    }
    const Value before = body->getArguments().back();
    if (so_far) map.map(before, so_far);
    for (mlir::Operation& inner : body->without_terminator()) {
      if (!so_far && &inner == combiner_) {
        const bool is_left = inner.getOperand(0) == before;
        return map.lookupOrDefault(inner.getOperand(is_left ? 1 : 0));
      }
      auto number = mlir::dyn_cast<mlir::linalg::IndexOp>(inner);
      if (!number) {
        nested.clone(inner, map);
      } else if (number.getDim() == loop_) {
        map.map(number.getResult(),
                mlir::arith::ConstantIndexOp::create(nested, op_.getLoc(), index).getResult());
      } else {
        const std::uint64_t dim = number.getDim() > loop_ ? number.getDim() - 1 : number.getDim();
        map.map(number.getResult(),
                mlir::linalg::IndexOp::create(nested, op_.getLoc(), dim).getResult());
      }
    }
    return map.lookup(combiner_->getResult(0));
  }

  mutable GenericOp op_;  // its accessors are not const
  llvm::SmallVector<std::int64_t> sizes_;
  mlir::Operation* combiner_ = nullptr;
  unsigned loop_ = 0;  // the reduced one
};

struct UnrollReductions : FunctionPass<UnrollReductions, PassName::unroll_reductions> {
  void run() {
    llvm::SmallVector<GenericOp> all;
    getOperation().walk([&](GenericOp op) { all.push_back(op); });
    for (const GenericOp op : all) Unrolling(op).run();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_unroll_reductions_pass() {
  return std::make_unique<UnrollReductions>();
}

}  // namespace tandem::compiler
