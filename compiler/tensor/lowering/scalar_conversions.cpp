#include "compiler/tensor/lowering/scalar_conversions.hpp"

#include "compiler/tensor/lowering/lowering.hpp"
#include "llvm/ADT/StringSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

arith::CmpFPredicate float_predicate(llvm::StringRef direction) {
  return llvm::StringSwitch<arith::CmpFPredicate>(direction)
      .Case("EQ", arith::CmpFPredicate::OEQ)
      .Case("NE", arith::CmpFPredicate::UNE)
      .Case("GE", arith::CmpFPredicate::OGE)
      .Case("GT", arith::CmpFPredicate::OGT)
      .Case("LE", arith::CmpFPredicate::OLE)
      .Default(arith::CmpFPredicate::OLT);
}

arith::CmpIPredicate integer_predicate(llvm::StringRef direction, bool is_unsigned) {
  using enum arith::CmpIPredicate;
  return llvm::StringSwitch<arith::CmpIPredicate>(direction)
      .Case("EQ", eq)
      .Case("NE", ne)
      .Case("GE", is_unsigned ? uge : sge)
      .Case("GT", is_unsigned ? ugt : sgt)
      .Case("LE", is_unsigned ? ule : sle)
      .Default(is_unsigned ? ult : slt);
}

mlir::Type element_of(Value value) { return mlir::getElementTypeOrSelf(value.getType()); }

Value zero(mlir::OpBuilder& builder, mlir::Location loc, mlir::Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

// The order of all floats with -NaN first: as signed integers after mirroring negative ones.
Value order_key(mlir::OpBuilder& builder, mlir::Location loc, Value value) {
  const auto type = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
  const auto constant = [&](std::int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, number));
  };
  const Value bits = arith::BitcastOp::create(builder, loc, type, value);
  const Value sign = arith::ShRSIOp::create(builder, loc, bits, constant(type.getWidth() - 1));
  const Value mirror = arith::AndIOp::create(builder, loc, sign,
                                             constant(type.getWidth() == 16 ? 0x7fff : 0x7fffffff));
  return arith::XOrIOp::create(builder, loc, bits, mirror);
}

// A float to an integer; truncated; the caller handles values out of range.
Value float_to_integer(mlir::OpBuilder& builder, mlir::Location loc, Value value, mlir::Type to,
                       bool to_unsigned) {
  if (to.isInteger(1)) {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, value,
                                 zero(builder, loc, value.getType()));
  }
  if (to_unsigned) return arith::FPToUIOp::create(builder, loc, to, value);
  return arith::FPToSIOp::create(builder, loc, to, value);
}

Value integer_to_integer(mlir::OpBuilder& builder, mlir::Location loc, Value value, mlir::Type to,
                         bool from_unsigned) {
  const unsigned from_width = value.getType().getIntOrFloatBitWidth();
  const unsigned to_width = to.getIntOrFloatBitWidth();
  if (to_width == 1 && from_width != 1) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 zero(builder, loc, value.getType()));
  }
  if (from_width == to_width) return value;
  if (from_width > to_width) return arith::TruncIOp::create(builder, loc, to, value);
  if (from_unsigned) return arith::ExtUIOp::create(builder, loc, to, value);
  return arith::ExtSIOp::create(builder, loc, to, value);
}

Value float_to_float(mlir::OpBuilder& builder, mlir::Location loc, Value value, mlir::Type to) {
  if (value.getType() == to) return value;
  const mlir::Type single = builder.getF32Type();
  Value wide = value;
  if (!value.getType().isF32()) wide = arith::ExtFOp::create(builder, loc, single, value);
  return to == single ? wide : arith::TruncFOp::create(builder, loc, to, wide).getResult();
}

// Bits of an fp32 rounded to the given width of mantissa, half to even.
Value round_mantissa(mlir::OpBuilder& builder, mlir::Location loc, Value bits, std::int64_t width) {
  constexpr std::int64_t all = 23;
  if (width >= all) return bits;
  const auto constant = [&](std::int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(number));
  };
  const std::int64_t last = std::int64_t{1} << (all - width);
  const Value shifted = arith::ShRUIOp::create(builder, loc, bits, constant(all - width));
  const Value odd = arith::AndIOp::create(builder, loc, shifted, constant(1));
  const Value bias = arith::AddIOp::create(builder, loc, odd, constant((last >> 1) - 1));
  const Value moved = arith::AddIOp::create(builder, loc, bits, bias);
  return arith::AndIOp::create(builder, loc, moved, constant(-last));
}

// Beyond the range of an exponent of this many bits: infinite above, zero below, with the sign
// kept.
Value limit_exponent(mlir::OpBuilder& builder, mlir::Location loc, Value bits, std::int64_t width) {
  if (width >= 8) return bits;
  const auto constant = [&](std::int64_t number) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(static_cast<std::int32_t>(number)));
  };
  const std::int64_t reduced_bias = (std::int64_t{1} << (width - 1)) - 1;
  constexpr std::int64_t infinity = 0x7f800000;
  const Value exponent = arith::AndIOp::create(builder, loc, bits, constant(infinity));
  const Value sign = arith::AndIOp::create(builder, loc, bits, constant(0x80000000));
  const Value above = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, exponent,
                                            constant((127 + reduced_bias) << 23));
  const Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, exponent,
                                            constant((127 - reduced_bias) << 23));
  const Value infinite = arith::OrIOp::create(builder, loc, sign, constant(infinity));
  const Value capped = arith::SelectOp::create(builder, loc, above, infinite, bits);
  return arith::SelectOp::create(builder, loc, below, sign, capped);
}

}  // namespace

Value scalar_compare(mlir::OpBuilder& builder, mlir::Operation* op, mlir::ValueRange operands) {
  const llvm::StringRef direction = text(op, "comparison_direction");
  const mlir::Type type = element_of(op->getOperand(0));
  const mlir::Location loc = op->getLoc();
  if (!mlir::isa<mlir::FloatType>(type)) {
    const bool is_unsigned = type.isUnsignedInteger() || type.isInteger(1);
    return arith::CmpIOp::create(builder, loc, integer_predicate(direction, is_unsigned),
                                 operands[0], operands[1]);
  }
  if (text(op, "compare_type") == "TOTALORDER") {
    return arith::CmpIOp::create(builder, loc, integer_predicate(direction, false),
                                 order_key(builder, loc, operands[0]),
                                 order_key(builder, loc, operands[1]));
  }
  return arith::CmpFOp::create(builder, loc, float_predicate(direction), operands[0], operands[1]);
}

Value scalar_convert(mlir::OpBuilder& builder, mlir::Operation* op, Value value) {
  const mlir::Type from = element_of(op->getOperand(0));
  const mlir::Type to = element_of(op->getResult(0));
  const mlir::Type plain = plain_element(to);
  const bool from_unsigned = from.isUnsignedInteger() || from.isInteger(1);
  const mlir::Location loc = op->getLoc();
  if (mlir::isa<mlir::FloatType>(from)) {
    if (mlir::isa<mlir::FloatType>(to)) return float_to_float(builder, loc, value, plain);
    return float_to_integer(builder, loc, value, plain, to.isUnsignedInteger());
  }
  if (!mlir::isa<mlir::FloatType>(to)) {
    return integer_to_integer(builder, loc, value, plain, from_unsigned);
  }
  if (from_unsigned) return arith::UIToFPOp::create(builder, loc, plain, value);
  return arith::SIToFPOp::create(builder, loc, plain, value);
}

Value scalar_rounding(mlir::OpBuilder& builder, mlir::Operation* op, Value value) {
  const auto exponent = integer(op, "exponent_bits");
  const auto mantissa = integer(op, "mantissa_bits");
  if (mlir::failed(exponent) || mlir::failed(mantissa)) return {};
  const mlir::Location loc = op->getLoc();
  const mlir::Type type = value.getType();
  const Value wide = float_to_float(builder, loc, value, builder.getF32Type());
  Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(), wide);
  bits = round_mantissa(builder, loc, bits, *mantissa);
  bits = limit_exponent(builder, loc, bits, *exponent);
  const Value rounded = arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
  const Value is_number =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, wide, wide);
  const Value result = arith::SelectOp::create(builder, loc, is_number, rounded, wide);
  return float_to_float(builder, loc, result, type);
}

Value scalar_bitcast(mlir::OpBuilder& builder, mlir::Operation* op, Value value) {
  const mlir::Type to = plain_element(element_of(op->getResult(0)));
  if (value.getType() == to) return value;
  if (value.getType().getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth()) {
    op->emitError("unimplemented: stablehlo.bitcast_convert between widths");
    return {};
  }
  return arith::BitcastOp::create(builder, op->getLoc(), to, value);
}

Value scalar_constant(mlir::OpBuilder& builder, mlir::Operation* op) {
  const auto value = op->getAttrOfType<mlir::DenseElementsAttr>("value");
  const mlir::Type plain = plain_element(value.getElementType());
  if (const auto floats = mlir::dyn_cast<mlir::FloatType>(plain)) {
    return arith::ConstantOp::create(
        builder, op->getLoc(), mlir::FloatAttr::get(floats, *value.value_begin<llvm::APFloat>()));
  }
  return arith::ConstantOp::create(
      builder, op->getLoc(), mlir::IntegerAttr::get(plain, *value.value_begin<llvm::APInt>()));
}

}  // namespace tandem::compiler
