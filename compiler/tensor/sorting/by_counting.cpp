// Sorting by counting: an element's place is the number of elements that come before it, and each
// place takes the element that belongs there. Quadratic, but stable, for any comparator and any
// number of operands, and two plain reductions.
#include "compiler/tensor/sorting/by_counting.hpp"
#include "compiler/tensor/lowering/scalars.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace linalg = mlir::linalg;
using Iterator = mlir::utils::IteratorType;
using mlir::Value;

// Loops: all dimensions, then the sorted one once more, which is reduced.
struct Loops {
  mlir::AffineMap here;
  mlir::AffineMap other;  // the sorted dimension runs with the additional loop
  llvm::SmallVector<Iterator> iterators;
};

Loops loops_of(mlir::OpBuilder& builder, std::int64_t rank, std::int64_t dimension) {
  llvm::SmallVector<mlir::AffineExpr> here;
  for (std::int64_t i = 0; i < rank; ++i) here.push_back(builder.getAffineDimExpr(i));
  llvm::SmallVector<mlir::AffineExpr> other = here;
  other[dimension] = builder.getAffineDimExpr(rank);
  Loops loops{mlir::AffineMap::get(rank + 1, 0, here, builder.getContext()),
              mlir::AffineMap::get(rank + 1, 0, other, builder.getContext()),
              llvm::SmallVector<Iterator>(rank, Iterator::parallel)};
  loops.iterators.push_back(Iterator::reduction);
  return loops;
}

// Whether the comparator puts a before b; the operands of the region alternate.
mlir::FailureOr<Value> before(mlir::OpBuilder& builder, mlir::Operation* op, mlir::ValueRange a,
                              mlir::ValueRange b, const mlir::IRMapping& outer) {
  Values arguments;
  for (const auto [left, right] : llvm::zip(a, b)) {
    arguments.push_back(left);
    arguments.push_back(right);
  }
  const auto results = scalar_region(builder, op->getRegion(0), arguments, outer);
  if (mlir::failed(results)) return mlir::failure();
  return results->front();
}

// For each element how many come before it; of equal ones the earlier.
mlir::FailureOr<Value> places_of(Lowering& lowering, mlir::Operation* op, const Values& inputs,
                                 std::int64_t dimension) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::RankedTensorType type = tensor_type_of(inputs.front());
  const std::int64_t rank = type.getRank();
  const std::size_t count = inputs.size();
  const Loops loops = loops_of(builder, rank, dimension);
  const auto places = mlir::RankedTensorType::get(type.getShape(), builder.getI32Type());
  const Value zero = arith::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(0));
  Values twice = inputs;
  twice.append(inputs);
  llvm::SmallVector<mlir::AffineMap> maps(count, loops.here);
  maps.append(count, loops.other);
  maps.push_back(loops.here);
  const auto outer = outer_scalars(lowering, op->getRegion(0));
  if (mlir::failed(outer)) return mlir::failure();
  bool complete = true;
  const auto body = [&](mlir::OpBuilder& b, mlir::Location loc, mlir::ValueRange arguments) {
    const mlir::ValueRange mine = arguments.take_front(count);
    const mlir::ValueRange theirs = arguments.slice(count, count);
    const auto they_first = before(b, op, theirs, mine, *outer);
    const auto we_first = before(b, op, mine, theirs, *outer);
    complete = mlir::succeeded(they_first) && mlir::succeeded(we_first);
    Value sum = arguments.back();
    if (complete) {
      const Value earlier = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                                  linalg::IndexOp::create(b, loc, rank),
                                                  linalg::IndexOp::create(b, loc, dimension));
      const Value one = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
      const Value not_first = arith::XOrIOp::create(b, loc, *we_first, one);
      const Value tie = arith::AndIOp::create(b, loc, not_first, earlier);
      const Value counts = arith::OrIOp::create(b, loc, *they_first, tie);
      sum = arith::AddIOp::create(b, loc, sum,
                                  arith::ExtUIOp::create(b, loc, b.getI32Type(), counts));
    }
    linalg::YieldOp::create(b, loc, sum);
  };
  auto generic = linalg::GenericOp::create(
      builder, op->getLoc(), mlir::TypeRange{places}, twice,
      mlir::ValueRange{filled_tensor(builder, op->getLoc(), places, zero)}, maps, loops.iterators,
      body);
  if (!complete) return mlir::failure();
  return generic.getResult(0);
}

// Each place takes the element whose place it is.
Value arranged(Lowering& lowering, mlir::Location loc, Value input, Value places,
               std::int64_t dimension) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::RankedTensorType type = tensor_type_of(input);
  const Loops loops = loops_of(builder, type.getRank(), dimension);
  const Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  return linalg::GenericOp::create(
             builder, loc, mlir::TypeRange{type}, mlir::ValueRange{input, places},
             mlir::ValueRange{filled_tensor(builder, loc, type, zero)},
             {loops.other, loops.other, loops.here}, loops.iterators,
             [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange arguments) {
               const Value index = arith::IndexCastOp::create(
                   b, at, b.getI32Type(), linalg::IndexOp::create(b, at, dimension));
               const Value fits =
                   arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq, arguments[1], index);
               linalg::YieldOp::create(
                   b, at,
                   arith::SelectOp::create(b, at, fits, arguments[0], arguments[2]).getResult());
             })
      .getResult(0);
}

}  // namespace

mlir::FailureOr<Values> sorted_by_counting(Lowering& lowering, mlir::Operation* sort,
                                           std::int64_t dimension) {
  const Values inputs = lowering.mapped(sort->getOperands());
  const auto places = places_of(lowering, sort, inputs, dimension);
  if (mlir::failed(places)) return mlir::failure();
  Values results;
  for (const Value input : inputs) {
    results.push_back(arranged(lowering, sort->getLoc(), input, *places, dimension));
  }
  return results;
}

}  // namespace tandem::compiler
