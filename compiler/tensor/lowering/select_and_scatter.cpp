// select_and_scatter: each window of the operand selects one of its elements, and the source's
// element of that window is combined into the result at its place.
//
// Two passes over the windows, both plain reductions. The first computes for each window the
// position of the selected element, as its number in the operand. The second combines, for each
// position of the result, the windows that contain it: the source spread by the strides, in a
// window of the same size.
#include "compiler/tensor/lowering/handlers.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace linalg = mlir::linalg;
using Iterator = mlir::utils::IteratorType;
using List = llvm::SmallVector<std::int64_t>;
using mlir::Value;

constexpr std::int64_t nowhere = -1;  // the number of a padding position

struct Window {
  List sizes;
  List strides;
  List low;
  List high;

  [[nodiscard]] std::size_t rank() const { return sizes.size(); }
};

mlir::FailureOr<Window> window_of(mlir::Operation* op, std::size_t rank) {
  const auto sizes = integers(op, "window_dimensions");
  const auto strides = integers(op, "window_strides");
  const auto padding = integers(op, "padding");
  if (mlir::failed(sizes) || mlir::failed(strides) || mlir::failed(padding)) {
    return mlir::failure();
  }
  Window window{sizes->empty() ? List(rank, 1) : *sizes,
                strides->empty() ? List(rank, 1) : *strides, List(rank, 0), List(rank, 0)};
  for (std::size_t i = 0; i < padding->size() / 2 && i < rank; ++i) {
    window.low[i] = (*padding)[2 * i];
    window.high[i] = (*padding)[2 * i + 1];
  }
  if (window.sizes.size() != rank || window.strides.size() != rank) {
    return op->emitError("a window that does not fit the operand");
  }
  return window;
}

Value word(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t number) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(static_cast<std::int32_t>(number)));
}

// Every element's number in row-major order.
Value numbered(mlir::OpBuilder& builder, mlir::Location loc, llvm::ArrayRef<std::int64_t> shape) {
  const auto type = mlir::RankedTensorType::get(shape, builder.getI32Type());
  return parallel_generic(
      builder, loc, type, {}, {},
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange) {
        Value number = word(nested, at, 0);
        for (std::size_t i = 0; i < shape.size(); ++i) {
          const Value index = arith::IndexCastOp::create(nested, at, nested.getI32Type(),
                                                         linalg::IndexOp::create(nested, at, i));
          number = arith::AddIOp::create(
              nested, at, arith::MulIOp::create(nested, at, number, word(nested, at, shape[i])),
              index);
        }
        return number;
      });
}

// Loops over the result's positions, then over a window.
struct Loops {
  mlir::AffineMap here;    // position in the result
  mlir::AffineMap there;   // element of the padded input in the window of this position
  mlir::AffineMap window;  // position in the window
  llvm::SmallVector<Iterator> iterators;
};

Loops loops_of(mlir::OpBuilder& builder, std::size_t rank, llvm::ArrayRef<std::int64_t> strides) {
  llvm::SmallVector<mlir::AffineExpr> here;
  llvm::SmallVector<mlir::AffineExpr> there;
  llvm::SmallVector<mlir::AffineExpr> window;
  for (std::size_t i = 0; i < rank; ++i) {
    here.push_back(builder.getAffineDimExpr(i));
    window.push_back(builder.getAffineDimExpr(rank + i));
    there.push_back(here.back() * strides[i] + window.back());
  }
  const auto map = [&](llvm::ArrayRef<mlir::AffineExpr> expressions) {
    return mlir::AffineMap::get(2 * rank, 0, expressions, builder.getContext());
  };
  Loops loops{map(here), map(there), map(window),
              llvm::SmallVector<Iterator>(rank, Iterator::parallel)};
  loops.iterators.append(rank, Iterator::reduction);
  return loops;
}

class SelectAndScatter {
 public:
  SelectAndScatter(Lowering& lowering, mlir::Operation* op, Window window)
      : lowering_(lowering),
        builder_(lowering.builder),
        op_(op),
        loc_(op->getLoc()),
        window_(std::move(window)) {
    const Values all = lowering.mapped(op->getOperands());
    operand_ = all[0];
    source_ = all[1];
    initial_ = scalar_of(builder_, loc_, all[2]);
    // Defines the extent of a window; its elements are not read.
    extent_ = empty_tensor(builder_, loc_,
                           mlir::RankedTensorType::get(window_.sizes, builder_.getF32Type()));
  }

  mlir::FailureOr<Values> run() {
    const auto places = selected();
    if (mlir::failed(places)) return mlir::failure();
    return scattered(*places);
  }

 private:
  // For each window the number of the element that it selects.
  mlir::FailureOr<Value> selected() {
    const List none(window_.rank(), 0);
    const Value zero = arith::ConstantOp::create(
        builder_, loc_, builder_.getZeroAttr(tensor_type_of(operand_).getElementType()));
    const Value elements = padded(builder_, loc_, operand_, zero, window_.low, window_.high, none);
    const Value numbers =
        padded(builder_, loc_, numbered(builder_, loc_, tensor_type_of(operand_).getShape()),
               word(builder_, loc_, nowhere), window_.low, window_.high, none);
    const auto shape = tensor_type_of(source_).getShape();
    const auto kept_type =
        mlir::RankedTensorType::get(shape, tensor_type_of(operand_).getElementType());
    const auto place_type = mlir::RankedTensorType::get(shape, builder_.getI32Type());
    const Value kept = filled_tensor(builder_, loc_, kept_type, zero);
    const Value place = filled_tensor(builder_, loc_, place_type, word(builder_, loc_, nowhere));
    const Loops loops = loops_of(builder_, window_.rank(), window_.strides);
    const auto outer = outer_scalars(lowering_, op_->getRegion(0));
    if (mlir::failed(outer)) return mlir::failure();
    bool complete = true;
    const auto body = [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange given) {
      const Value nothing = word(nested, at, nowhere);
      const auto stays = scalar_region(nested, op_->getRegion(0), {given[3], given[0]}, *outer);
      complete = mlir::succeeded(stays);
      const Value keeps =
          complete ? stays->front()
                   : arith::ConstantOp::create(nested, at, nested.getBoolAttr(true)).getResult();
      const auto is = [&](arith::CmpIPredicate predicate, Value number) {
        return arith::CmpIOp::create(nested, at, predicate, number, nothing).getResult();
      };
      const Value has_one = is(arith::CmpIPredicate::ne, given[4]);
      const Value is_padding = is(arith::CmpIPredicate::eq, given[1]);
      const Value wins = arith::AndIOp::create(nested, at, has_one, keeps);
      const Value stay = arith::OrIOp::create(nested, at, is_padding, wins);
      const Value value = arith::SelectOp::create(nested, at, stay, given[3], given[0]);
      const Value number = arith::SelectOp::create(nested, at, stay, given[4], given[1]);
      linalg::YieldOp::create(nested, at, mlir::ValueRange{value, number});
    };
    auto generic = linalg::GenericOp::create(
        builder_, loc_, mlir::TypeRange{kept_type, place_type},
        mlir::ValueRange{elements, numbers, extent_}, mlir::ValueRange{kept, place},
        {loops.there, loops.there, loops.window, loops.here, loops.here}, loops.iterators, body);
    if (!complete) return mlir::failure();
    return generic.getResult(1);
  }

  // The data of a window, at the window's start; a position sees the windows that contain it.
  Value spread(Value value, Value fill) {
    List low;
    List high;
    List interior;
    for (std::size_t i = 0; i < window_.rank(); ++i) {
      const std::int64_t size = window_.sizes[i];
      const std::int64_t length =
          (tensor_type_of(source_).getDimSize(i) - 1) * window_.strides[i] + 1;
      low.push_back(size - 1 - window_.low[i]);
      interior.push_back(window_.strides[i] - 1);
      high.push_back(tensor_type_of(operand_).getDimSize(i) + size - 1 - length - low.back());
    }
    return padded(builder_, loc_, value, fill, low, high, interior);
  }

  mlir::FailureOr<Values> scattered(Value places) {
    const mlir::RankedTensorType type = plain_tensor(op_->getResult(0).getType());
    const Value from = spread(source_, initial_);
    const Value targets = spread(places, word(builder_, loc_, nowhere));
    const Value numbers = numbered(builder_, loc_, type.getShape());
    const Value room = filled_tensor(builder_, loc_, type, initial_);
    const Loops loops = loops_of(builder_, window_.rank(), List(window_.rank(), 1));
    const auto outer = outer_scalars(lowering_, op_->getRegion(1));
    if (mlir::failed(outer)) return mlir::failure();
    bool complete = true;
    const auto body = [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange given) {
      const auto sum = scalar_region(nested, op_->getRegion(1), {given[4], given[0]}, *outer);
      complete = mlir::succeeded(sum);
      const Value mine =
          arith::CmpIOp::create(nested, at, arith::CmpIPredicate::eq, given[1], given[2]);
      const Value combined = complete ? sum->front() : given[4];
      linalg::YieldOp::create(
          nested, at, arith::SelectOp::create(nested, at, mine, combined, given[4]).getResult());
    };
    auto generic = linalg::GenericOp::create(
        builder_, loc_, mlir::TypeRange{type}, mlir::ValueRange{from, targets, numbers, extent_},
        mlir::ValueRange{room}, {loops.there, loops.there, loops.here, loops.window, loops.here},
        loops.iterators, body);
    if (!complete) return mlir::failure();
    return Values{generic.getResult(0)};
  }

  Lowering& lowering_;
  mlir::OpBuilder& builder_;
  mlir::Operation* op_;
  mlir::Location loc_;
  Window window_;
  Value operand_;
  Value source_;
  Value initial_;
  Value extent_;
};

}  // namespace

mlir::FailureOr<Values> lower_select_and_scatter(Lowering& lowering, mlir::Operation* op) {
  if (op->getNumRegions() != 2 || op->getRegion(0).empty() || op->getRegion(1).empty()) {
    return op->emitError("select_and_scatter without its regions");
  }
  const mlir::RankedTensorType type = plain_tensor(op->getResult(0).getType());
  auto window = window_of(op, type.getRank());
  if (mlir::failed(window)) return mlir::failure();
  const Value source = lowering.map.lookup(op->getOperand(1));
  if (type.getNumElements() == 0 || tensor_type_of(source).getNumElements() == 0) {
    const Value initial =
        scalar_of(lowering.builder, op->getLoc(), lowering.map.lookup(op->getOperand(2)));
    return Values{filled_tensor(lowering.builder, op->getLoc(), type, initial)};
  }
  return SelectAndScatter(lowering, op, std::move(*window)).run();
}

}  // namespace tandem::compiler
