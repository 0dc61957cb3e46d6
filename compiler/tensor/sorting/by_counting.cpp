// Sorting by counting: an element's place is the number of elements that come before it, and each
// place takes its element. Quadratic, but stable, for any comparator and any number of operands,
// and two plain reductions.
#include "compiler/tensor/sorting/by_counting.hpp"
#include "compiler/tensor/lowering/words.hpp"
#include "compiler/tensor/sorting/keys.hpp"
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
  mlir::AffineMap other;  // the sorted dimension has the additional loop
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

// A key with the order of signed words. None of them is the least, or where the order is descending
// the greatest.
struct WordOrder {
  std::size_t key = 0;
  bool is_signed = true;
  bool rises = true;
};

std::optional<WordOrder> word_order_of(const Comparator& comparator) {
  using P = arith::CmpIPredicate;
  const auto simple = comparator.simple();
  if (!simple) return std::nullopt;
  const SortKey& key = comparator.keys()[simple->key];
  const bool is_signed = simple->before == P::slt || simple->before == P::sgt;
  const bool rises = simple->before == P::slt || simple->before == P::ult;
  // For reals whose NaNs are one positive one, the least is an infinity.
  const bool is_short = key.value.getType().getIntOrFloatBitWidth() < 32;
  if (!is_short && !(key.merges_zeros && rises)) return std::nullopt;
  return WordOrder{simple->key, is_signed, rises};
}

// The number of words before each: an earlier equal one counts, a later one does not, so that it is
// compared with the next word.
Value places_of_words(Lowering& lowering, mlir::Location loc, const WordOrder& order, Value key,
                      std::int64_t dimension) {
  mlir::OpBuilder& builder = lowering.builder;
  const std::int64_t rank = tensor_type_of(key).getRank();
  const Loops loops = loops_of(builder, rank, dimension);
  const auto type =
      mlir::RankedTensorType::get(tensor_type_of(key).getShape(), builder.getI32Type());
  const Value words = parallel_generic(
      builder, loc, type, key,
      [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange element) -> Value {
        return extended(b, at, element.front(), !order.is_signed);
      });
  const Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  const auto body = [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange arguments) {
    const Value mine = arguments[0];
    const Value earlier = arith::CmpIOp::create(b, at, arith::CmpIPredicate::slt,
                                                linalg::IndexOp::create(b, at, rank),
                                                linalg::IndexOp::create(b, at, dimension));
    const Value step = arith::ConstantOp::create(b, at, b.getI32IntegerAttr(order.rises ? -1 : 1));
    const Value bound =
        arith::SelectOp::create(b, at, earlier, mine, arith::AddIOp::create(b, at, mine, step));
    const Value counts = arith::CmpIOp::create(
        b, at, order.rises ? arith::CmpIPredicate::sle : arith::CmpIPredicate::sge, arguments[1],
        bound);
    linalg::YieldOp::create(
        b, at,
        arith::AddIOp::create(b, at, arguments[2],
                              arith::ExtUIOp::create(b, at, b.getI32Type(), counts))
            .getResult());
  };
  return linalg::GenericOp::create(builder, loc, mlir::TypeRange{type},
                                   mlir::ValueRange{words, words},
                                   mlir::ValueRange{filled_tensor(builder, loc, type, zero)},
                                   {loops.here, loops.other, loops.here}, loops.iterators, body)
      .getResult(0);
}

// For each element the number of elements before it; among equal ones the earlier counts.
Value places_of(Lowering& lowering, mlir::Location loc, Comparator& comparator, const Values& keys,
                std::int64_t dimension) {
  mlir::OpBuilder& builder = lowering.builder;
  const mlir::RankedTensorType type = tensor_type_of(keys.front());
  const std::int64_t rank = type.getRank();
  const std::size_t count = keys.size();
  const Loops loops = loops_of(builder, rank, dimension);
  const auto places = mlir::RankedTensorType::get(type.getShape(), builder.getI32Type());
  const Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Values twice = keys;
  twice.append(keys);
  llvm::SmallVector<mlir::AffineMap> maps(count, loops.here);
  maps.append(count, loops.other);
  maps.push_back(loops.here);
  const auto body = [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange arguments) {
    const mlir::ValueRange mine = arguments.take_front(count);
    const mlir::ValueRange theirs = arguments.slice(count, count);
    const Value they_first = comparator.before(b, theirs, mine);
    const Value we_first = comparator.before(b, mine, theirs);
    const Value earlier = arith::CmpIOp::create(b, at, arith::CmpIPredicate::slt,
                                                linalg::IndexOp::create(b, at, rank),
                                                linalg::IndexOp::create(b, at, dimension));
    const Value one = arith::ConstantOp::create(b, at, b.getBoolAttr(true));
    const Value not_first = arith::XOrIOp::create(b, at, we_first, one);
    const Value tie = arith::AndIOp::create(b, at, not_first, earlier);
    const Value counts = arith::OrIOp::create(b, at, they_first, tie);
    linalg::YieldOp::create(
        b, at,
        arith::AddIOp::create(b, at, arguments.back(),
                              arith::ExtUIOp::create(b, at, b.getI32Type(), counts))
            .getResult());
  };
  return linalg::GenericOp::create(builder, loc, mlir::TypeRange{places}, twice,
                                   mlir::ValueRange{filled_tensor(builder, loc, places, zero)},
                                   maps, loops.iterators, body)
      .getResult(0);
}

// Each place takes the element that belongs there.
Value arranged(Lowering& lowering, mlir::Location loc, Value input, Value places,
               std::int64_t dimension) {
  const mlir::RankedTensorType type = tensor_type_of(input);
  const Loops loops = loops_of(lowering.builder, type.getRank(), dimension);
  return elements_at(lowering.builder, loc, input, places, type.getShape(),
                     {{loops.other, loops.other, loops.here}, loops.iterators, dimension});
}

}  // namespace

Values sorted_by_counting(Lowering& lowering, mlir::Operation* sort, Comparator& comparator,
                          std::int64_t dimension) {
  const Values inputs = lowering.mapped(sort->getOperands());
  const Values keys = key_tensors(lowering, sort->getLoc(), comparator, inputs);
  const auto order = word_order_of(comparator);
  const Value places =
      order ? places_of_words(lowering, sort->getLoc(), *order, keys[order->key], dimension)
            : places_of(lowering, sort->getLoc(), comparator, keys, dimension);
  Values results;
  for (const Value input : inputs) {
    results.push_back(arranged(lowering, sort->getLoc(), input, places, dimension));
  }
  return results;
}

}  // namespace tandem::compiler
