#include "compiler/tensor/lowering/scalars.hpp"

#include "compiler/tensor/lowering/lowering.hpp"
#include "compiler/tensor/lowering/scalar_conversions.hpp"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace math = mlir::math;
using mlir::Value;

// One element's computation: position, original operation, and operands.
struct Site {
  mlir::OpBuilder& builder;
  mlir::Operation* op;
  mlir::ValueRange operands;

  [[nodiscard]] mlir::Location loc() const { return op->getLoc(); }
  [[nodiscard]] mlir::Type type() const { return operands.front().getType(); }
  [[nodiscard]] bool is_float() const { return mlir::isa<mlir::FloatType>(type()); }
  [[nodiscard]] bool is_truth() const { return type().isInteger(1); }
  [[nodiscard]] bool is_unsigned() const {
    return is_truth() ||
           mlir::getElementTypeOrSelf(op->getOperand(0).getType()).isUnsignedInteger();
  }
  [[nodiscard]] Value constant(double value) const {
    if (is_float()) {
      return arith::ConstantOp::create(builder, loc(), builder.getFloatAttr(type(), value));
    }
    return arith::ConstantOp::create(
        builder, loc(), builder.getIntegerAttr(type(), static_cast<std::int64_t>(value)));
  }
  template <typename Op>
  [[nodiscard]] Value make() const {
    return Op::create(builder, loc(), operands);
  }
  template <typename Op>
  [[nodiscard]] Value make(mlir::ValueRange values) const {
    return Op::create(builder, loc(), values);
  }
  [[nodiscard]] Value compare(arith::CmpIPredicate predicate, Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc(), predicate, a, b);
  }
  [[nodiscard]] Value compare(arith::CmpFPredicate predicate, Value a, Value b) const {
    return arith::CmpFOp::create(builder, loc(), predicate, a, b);
  }
  [[nodiscard]] Value choose(Value condition, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc(), condition, a, b);
  }
};

using Emit = Value (*)(const Site&);

// Float, signed, unsigned and truth forms of one operation.
template <typename Float, typename Signed, typename Unsigned, typename Truth>
Value arithmetic(const Site& s) {
  if (s.is_float()) return s.make<Float>();
  if (s.is_truth()) return s.make<Truth>();
  return s.is_unsigned() ? s.make<Unsigned>() : s.make<Signed>();
}

template <typename Op>
Value direct(const Site& s) {
  return s.make<Op>();
}

// x / 0 is all ones (unsigned the same bits), the smallest number / -1 is itself.
Value divide(const Site& s) {
  if (s.is_float()) return s.make<arith::DivFOp>();
  const Value zero = s.constant(0);
  const Value one = s.constant(1);
  const Value by_zero = s.compare(arith::CmpIPredicate::eq, s.operands[1], zero);
  const Value divisor = s.choose(by_zero, one, s.operands[1]);
  const Value quotient = s.is_unsigned() ? s.make<arith::DivUIOp>({s.operands[0], divisor})
                                         : s.make<arith::DivSIOp>({s.operands[0], divisor});
  return s.choose(by_zero, s.constant(-1), quotient);
}

// x mod 0 is x.
Value remainder(const Site& s) {
  if (s.is_float()) return s.make<arith::RemFOp>();
  const Value by_zero = s.compare(arith::CmpIPredicate::eq, s.operands[1], s.constant(0));
  const Value divisor = s.choose(by_zero, s.constant(1), s.operands[1]);
  const Value rest = s.is_unsigned() ? s.make<arith::RemUIOp>({s.operands[0], divisor})
                                     : s.make<arith::RemSIOp>({s.operands[0], divisor});
  return s.choose(by_zero, s.operands[0], rest);
}

Value negate(const Site& s) {
  if (s.is_float()) return s.make<arith::NegFOp>();
  return s.make<arith::SubIOp>({s.constant(0), s.operands[0]});
}

Value absolute(const Site& s) {
  if (s.is_float()) return s.make<math::AbsFOp>();
  return s.is_unsigned() ? s.operands[0] : s.make<math::AbsIOp>();
}

Value invert(const Site& s) { return s.make<arith::XOrIOp>({s.operands[0], s.constant(-1)}); }

// -1, 0 or 1; of a zero or NaN itself, and of a subnormal a zero.
Value sign(const Site& s) {
  const Value x = s.operands[0];
  const Value zero = s.constant(0);
  if (s.is_float()) {
    const Value moved = s.make<math::CopySignOp>({s.constant(1), x});
    const Value rest = s.make<arith::MulFOp>({x, zero});
    return s.choose(s.compare(arith::CmpFPredicate::ONE, x, zero), moved, rest);
  }
  const Value positive = s.compare(arith::CmpIPredicate::sgt, x, zero);
  const Value negative = s.compare(arith::CmpIPredicate::slt, x, zero);
  return s.choose(positive, s.constant(1), s.choose(negative, s.constant(-1), zero));
}

Value is_finite(const Site& s) {
  const Value magnitude = s.make<math::AbsFOp>();
  return s.compare(arith::CmpFPredicate::OLT, magnitude,
                   s.constant(std::numeric_limits<double>::infinity()));
}

Value logistic(const Site& s) {
  const Value grown = s.make<math::ExpOp>(s.make<arith::NegFOp>());
  return s.make<arith::DivFOp>({s.constant(1), s.make<arith::AddFOp>({s.constant(1), grown})});
}

// Shifts by the width and more give zero, or copies of the sign.
template <typename Op>
Value shift(const Site& s) {
  const Value width = s.constant(s.type().getIntOrFloatBitWidth());
  const Value inside = s.compare(arith::CmpIPredicate::ult, s.operands[1], width);
  return s.choose(inside, s.make<Op>(), s.constant(0));
}

Value shift_arithmetic(const Site& s) {
  const Value last = s.constant(s.type().getIntOrFloatBitWidth() - 1);
  const Value amount = s.make<arith::MinUIOp>({s.operands[1], last});
  return s.make<arith::ShRSIOp>({s.operands[0], amount});
}

Value select(const Site& s) { return s.choose(s.operands[0], s.operands[1], s.operands[2]); }

// Operands: low, x, high; x determines the type.
Value clamp(const Site& s) {
  const bool is_unsigned =
      mlir::getElementTypeOrSelf(s.op->getOperand(1).getType()).isUnsignedInteger();
  const Value low = s.operands[0];
  const Value high = s.operands[2];
  if (s.is_float()) {
    return s.make<arith::MinimumFOp>({s.make<arith::MaximumFOp>({low, s.operands[1]}), high});
  }
  if (s.is_truth()) {
    return s.make<arith::AndIOp>({s.make<arith::OrIOp>({low, s.operands[1]}), high});
  }
  if (is_unsigned) {
    return s.make<arith::MinUIOp>({s.make<arith::MaxUIOp>({low, s.operands[1]}), high});
  }
  return s.make<arith::MinSIOp>({s.make<arith::MaxSIOp>({low, s.operands[1]}), high});
}

// By squaring, one iteration for each bit of the exponent. Negative exponents leave 1 and -1 alone,
// and give 0 for everything else.
Value integer_power(const Site& s) {
  const Value zero = s.constant(0);
  const Value one = s.constant(1);
  Value square = s.operands[0];
  Value rest = s.operands[1];
  Value result = one;
  const unsigned width = s.type().getIntOrFloatBitWidth();
  for (unsigned bit = 0; bit < width; ++bit) {
    const Value odd = s.compare(arith::CmpIPredicate::ne, s.make<arith::AndIOp>({rest, one}), zero);
    result = s.choose(odd, s.make<arith::MulIOp>({result, square}), result);
    square = s.make<arith::MulIOp>({square, square});
    rest = s.make<arith::ShRUIOp>({rest, one});
  }
  if (s.is_unsigned()) return result;
  const Value magnitude = s.make<math::AbsIOp>(s.operands[0]);
  const Value unit = s.compare(arith::CmpIPredicate::eq, magnitude, one);
  const Value negative = s.compare(arith::CmpIPredicate::slt, s.operands[1], zero);
  return s.choose(negative, s.choose(unit, result, zero), result);
}

Value power(const Site& s) { return s.is_float() ? s.make<math::PowFOp>() : integer_power(s); }

Value reduce_precision(const Site& s) { return scalar_rounding(s.builder, s.op, s.operands[0]); }
Value compare(const Site& s) { return scalar_compare(s.builder, s.op, s.operands); }
Value convert(const Site& s) { return scalar_convert(s.builder, s.op, s.operands[0]); }
Value bitcast(const Site& s) { return scalar_bitcast(s.builder, s.op, s.operands[0]); }

const llvm::StringMap<Emit>& table() {
  static const llvm::StringMap<Emit> all{
      {"add", arithmetic<arith::AddFOp, arith::AddIOp, arith::AddIOp, arith::OrIOp>},
      {"subtract", arithmetic<arith::SubFOp, arith::SubIOp, arith::SubIOp, arith::XOrIOp>},
      {"multiply", arithmetic<arith::MulFOp, arith::MulIOp, arith::MulIOp, arith::AndIOp>},
      {"maximum", arithmetic<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp, arith::OrIOp>},
      {"minimum", arithmetic<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp, arith::AndIOp>},
      {"divide", divide},
      {"remainder", remainder},
      {"power", power},
      {"and", direct<arith::AndIOp>},
      {"or", direct<arith::OrIOp>},
      {"xor", direct<arith::XOrIOp>},
      {"not", invert},
      {"shift_left", shift<arith::ShLIOp>},
      {"shift_right_logical", shift<arith::ShRUIOp>},
      {"shift_right_arithmetic", shift_arithmetic},
      {"negate", negate},
      {"abs", absolute},
      {"sign", sign},
      {"is_finite", is_finite},
      {"exponential", direct<math::ExpOp>},
      {"exponential_minus_one", direct<math::ExpM1Op>},
      {"log", direct<math::LogOp>},
      {"log_plus_one", direct<math::Log1pOp>},
      {"logistic", logistic},
      {"sqrt", direct<math::SqrtOp>},
      {"rsqrt", direct<math::RsqrtOp>},
      {"cbrt", direct<math::CbrtOp>},
      {"tanh", direct<math::TanhOp>},
      {"sine", direct<math::SinOp>},
      {"cosine", direct<math::CosOp>},
      {"tan", direct<math::TanOp>},
      {"atan2", direct<math::Atan2Op>},
      {"floor", direct<math::FloorOp>},
      {"ceil", direct<math::CeilOp>},
      {"round_nearest_even", direct<math::RoundEvenOp>},
      {"round_nearest_afz", direct<math::RoundOp>},
      {"popcnt", direct<math::CtPopOp>},
      {"count_leading_zeros", direct<math::CountLeadingZerosOp>},
      {"select", select},
      {"clamp", clamp},
      {"compare", compare},
      {"convert", convert},
      {"bitcast_convert", bitcast},
      {"reduce_precision", reduce_precision},
  };
  return all;
}

llvm::StringRef bare(llvm::StringRef name) {
  name.consume_front("stablehlo.");
  return name;
}

}  // namespace

bool is_elementwise(llvm::StringRef name) { return table().contains(bare(name)); }

mlir::FailureOr<Value> scalar_operation(mlir::OpBuilder& builder, mlir::Operation* op,
                                        mlir::ValueRange operands) {
  const auto found = table().find(bare(op->getName().getStringRef()));
  if (found == table().end()) {
    return op->emitError("unimplemented: ") << op->getName() << " on single elements";
  }
  const Value result = found->second(Site{builder, op, operands});
  if (!result) return mlir::failure();
  return result;
}

namespace {

// The value of a tensor of rank 0; for a constant a constant, so that it is known in the region.
Value element_of(Lowering& lowering, mlir::Location loc, Value tensor) {
  mlir::DenseElementsAttr constant;
  if (!mlir::matchPattern(tensor, mlir::m_Constant(&constant)) || !constant.isSplat()) {
    return scalar_of(lowering.builder, loc, tensor);
  }
  return arith::ConstantOp::create(
      lowering.builder, loc,
      mlir::cast<mlir::TypedAttr>(constant.getSplatValue<mlir::Attribute>()));
}

}  // namespace

mlir::FailureOr<mlir::IRMapping> outer_scalars(Lowering& lowering, mlir::Region& region) {
  mlir::IRMapping result;
  for (mlir::Operation& op : region.front()) {
    for (Value operand : op.getOperands()) {
      if (operand.getParentRegion() == &region || result.contains(operand)) continue;
      if (mlir::cast<mlir::RankedTensorType>(operand.getType()).getRank() != 0) {
        return op.emitError("unimplemented: a tensor from outside in the region of ")
               << region.getParentOp()->getName();
      }
      result.map(operand, element_of(lowering, op.getLoc(), lowering.map.lookup(operand)));
    }
  }
  return result;
}

mlir::FailureOr<llvm::SmallVector<Value>> scalar_region(mlir::OpBuilder& builder,
                                                        mlir::Region& region,
                                                        mlir::ValueRange arguments,
                                                        const mlir::IRMapping& outer) {
  mlir::IRMapping map = outer;
  mlir::Block& block = region.front();
  map.map(block.getArguments(), arguments);
  llvm::SmallVector<Value> operands;
  for (mlir::Operation& op : block) {
    operands.clear();
    for (const Value operand : op.getOperands()) operands.push_back(map.lookup(operand));
    if (&op == &block.back()) break;
    if (op.getName().getStringRef() == "stablehlo.constant") {
      map.map(op.getResult(0), scalar_constant(builder, &op));
      continue;
    }
    const mlir::FailureOr<Value> result = scalar_operation(builder, &op, operands);
    if (mlir::failed(result)) return mlir::failure();
    map.map(op.getResult(0), *result);
  }
  return operands;
}

}  // namespace tandem::compiler
