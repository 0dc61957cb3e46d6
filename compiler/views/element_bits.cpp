#include "compiler/views/element_bits.hpp"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler {

namespace arith = mlir::arith;
using mlir::Value;

Value word_of_element(mlir::OpBuilder& builder, mlir::Location loc, Value element) {
  const mlir::Type integer = builder.getIntegerType(element.getType().getIntOrFloatBitWidth());
  if (element.getType() != integer) {
    element = arith::BitcastOp::create(builder, loc, integer, element);
  }
  if (integer.isInteger(32)) return element;
  return arith::ExtUIOp::create(builder, loc, builder.getI32Type(), element);
}

Value element_of_word(mlir::OpBuilder& builder, mlir::Location loc, Value word,
                      mlir::Type element) {
  const mlir::Type integer = builder.getIntegerType(element.getIntOrFloatBitWidth());
  if (!integer.isInteger(32)) word = arith::TruncIOp::create(builder, loc, integer, word);
  if (element == integer) return word;
  return arith::BitcastOp::create(builder, loc, element, word);
}

}  // namespace tandem::compiler
