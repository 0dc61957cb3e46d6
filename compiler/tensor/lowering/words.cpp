#include "compiler/tensor/lowering/words.hpp"

#include "compiler/tensor/tensor_type.hpp"
#include "compiler/views/element_bits.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler {

namespace arith = mlir::arith;
using mlir::Value;

Value as_words(mlir::OpBuilder& builder, mlir::Location loc, Value tensor) {
  const mlir::RankedTensorType type = tensor_type_of(tensor);
  if (type.getElementTypeBitWidth() == 32) return tensor;
  const auto to = mlir::RankedTensorType::get(type.getShape(), builder.getI32Type());
  return parallel_generic(builder, loc, to, tensor,
                          [](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange elements) {
                            return word_of_element(b, at, elements.front());
                          });
}

Value as_elements(mlir::OpBuilder& builder, mlir::Location loc, Value words, mlir::Type element) {
  const mlir::RankedTensorType type = tensor_type_of(words);
  if (type.getElementType() == element) return words;
  return parallel_generic(builder, loc, mlir::RankedTensorType::get(type.getShape(), element),
                          words,
                          [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange found) {
                            return element_of_word(b, at, found.front(), element);
                          });
}

Value extended(mlir::OpBuilder& builder, mlir::Location loc, Value integer, bool is_unsigned) {
  const mlir::Type word = builder.getI32Type();
  if (integer.getType() == word) return integer;
  if (is_unsigned) return arith::ExtUIOp::create(builder, loc, word, integer);
  return arith::ExtSIOp::create(builder, loc, word, integer);
}

Value elements_at(mlir::OpBuilder& builder, mlir::Location loc, Value input, Value places,
                  llvm::ArrayRef<std::int64_t> shape, const PlaceLoops& loops) {
  const auto words = mlir::RankedTensorType::get(shape, builder.getI32Type());
  const Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  const Value sums =
      mlir::linalg::GenericOp::create(
          builder, loc, mlir::TypeRange{words}, mlir::ValueRange{input, places},
          mlir::ValueRange{filled_tensor(builder, loc, words, zero)}, loops.maps, loops.iterators,
          [&](mlir::OpBuilder& b, mlir::Location at, mlir::ValueRange given) {
            const Value number = arith::IndexCastOp::create(
                b, at, b.getI32Type(), mlir::linalg::IndexOp::create(b, at, loops.number));
            const Value is_it =
                arith::CmpIOp::create(b, at, arith::CmpIPredicate::eq, given[1], number);
            const Value taken =
                arith::SelectOp::create(b, at, is_it, word_of_element(b, at, given[0]), zero);
            mlir::linalg::YieldOp::create(
                b, at, arith::AddIOp::create(b, at, given[2], taken).getResult());
          })
          .getResult(0);
  return as_elements(builder, loc, sums, tensor_type_of(input).getElementType());
}

}  // namespace tandem::compiler
