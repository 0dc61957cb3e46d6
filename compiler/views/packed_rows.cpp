#include "compiler/views/packed_rows.hpp"

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/views/element_bits.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;
using Body = llvm::function_ref<Value(mlir::OpBuilder&, mlir::Location, mlir::ValueRange)>;

unsigned rank_of(Value value) {
  return static_cast<unsigned>(mlir::cast<mlir::ShapedType>(value.getType()).getRank());
}

// `from` for the last dimension of each input, the others as they are.
mlir::linalg::GenericOp along_rows(mlir::OpBuilder& builder, mlir::Location loc,
                                   mlir::ValueRange inputs, Value room,
                                   llvm::ArrayRef<mlir::AffineExpr> from, Body body) {
  const unsigned rank = rank_of(room);
  const mlir::AffineMap to = builder.getMultiDimIdentityMap(rank);
  llvm::SmallVector<mlir::AffineMap> maps;
  for (const mlir::AffineExpr last : from) {
    llvm::SmallVector<mlir::AffineExpr> results(to.getResults());
    results.back() = last;
    maps.push_back(mlir::AffineMap::get(rank, 0, results, builder.getContext()));
  }
  maps.push_back(to);
  llvm::SmallVector<mlir::Type> types;
  if (mlir::isa<mlir::TensorType>(room.getType())) types.push_back(room.getType());
  const llvm::SmallVector<mlir::utils::IteratorType> loops(rank,
                                                           mlir::utils::IteratorType::parallel);
  return mlir::linalg::GenericOp::create(
      builder, loc, types, inputs, mlir::ValueRange{room}, maps, loops,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
        mlir::linalg::YieldOp::create(nested, at, body(nested, at, elements));
      });
}

Value word(mlir::OpBuilder& builder, mlir::Location loc, std::int32_t value) {
  return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
}

mlir::Type element_of(Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getElementType();
}

}  // namespace

std::int64_t parts_of(mlir::Type element) { return element.getIntOrFloatBitWidth() == 16 ? 2 : 4; }

std::int64_t words_of_row(std::int64_t columns, mlir::Type element) {
  const std::int64_t parts = parts_of(element);
  return (columns + parts - 1) / parts;
}

bool repacks(mlir::Type element) {
  return element.isBF16() || element.isInteger(16) || element.isInteger(8) || element.isInteger(1);
}

bool repacks_rows(mlir::Type element, std::int64_t columns) {
  if (!repacks(element)) return false;
  // Each row takes about five cycles, however short it is; strided operations, which integers have
  // as an alternative, take about one for two elements.
  if (!element.isBF16() && !threshold::packed_row_words(words_of_row(columns, element))) {
    return false;
  }
  return !threshold::unpacked_at_once(columns);
}

mlir::linalg::GenericOp unpack_rows(mlir::OpBuilder& builder, mlir::Location loc, Value words,
                                    Value room) {
  const unsigned last = rank_of(room) - 1;
  const mlir::Type element = element_of(room);
  const auto parts = static_cast<std::int32_t>(parts_of(element));
  const auto body = [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) -> Value {
    Value number = mlir::linalg::IndexOp::create(b, at, last);
    number = arith::IndexCastOp::create(b, at, b.getI32Type(), number);
    const Value part = arith::AndIOp::create(b, at, number, word(b, at, parts - 1));
    const Value shift = arith::MulIOp::create(b, at, part, word(b, at, 32 / parts));
    const Value bits = arith::ShRUIOp::create(b, at, elements.front(), shift);
    return element_of_word(b, at, bits, element);
  };
  auto op =
      along_rows(builder, loc, words, room, builder.getAffineDimExpr(last).floorDiv(parts), body);
  attribute::unpack.set(op);
  return op;
}

mlir::linalg::GenericOp pack_rows(mlir::OpBuilder& builder, mlir::Location loc, Value elements,
                                  Value room) {
  const auto parts = static_cast<std::int32_t>(parts_of(element_of(elements)));
  const mlir::AffineExpr first = builder.getAffineDimExpr(rank_of(room) - 1) * parts;
  llvm::SmallVector<mlir::AffineExpr> from{first};
  for (std::int64_t part = 1; part < parts; ++part) from.push_back(first + part);
  const auto body = [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange each) -> Value {
    Value result = word_of_element(b, at, each.front());
    for (std::int32_t part = 1; part < parts; ++part) {
      const Value bits = word_of_element(b, at, each[static_cast<std::size_t>(part)]);
      const Value above = arith::ShLIOp::create(b, at, bits, word(b, at, part * (32 / parts)));
      result = arith::OrIOp::create(b, at, result, above);
    }
    return result;
  };
  const llvm::SmallVector<Value> inputs(from.size(), elements);
  auto op = along_rows(builder, loc, inputs, room, from, body);
  attribute::pack.set(op);
  return op;
}

mlir::linalg::GenericOp weave_rows(mlir::OpBuilder& builder, mlir::Location loc, Value even,
                                   Value odd, Value room) {
  const unsigned last = rank_of(room) - 1;
  const mlir::AffineExpr half = builder.getAffineDimExpr(last).floorDiv(2);
  const auto body = [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange each) -> Value {
    Value number = mlir::linalg::IndexOp::create(b, at, last);
    number = arith::IndexCastOp::create(b, at, b.getI32Type(), number);
    const Value part = arith::AndIOp::create(b, at, number, word(b, at, 1));
    const Value is_even =
        arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq, part, word(b, at, 0));
    return arith::SelectOp::create(b, at, is_even, each[0], each[1]);
  };
  auto op = along_rows(builder, loc, {even, odd}, room, {half, half}, body);
  attribute::weave.set(op);
  return op;
}

}  // namespace tandem::compiler
