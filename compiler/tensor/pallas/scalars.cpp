// Constants, and elementwise operations.
#include "compiler/tensor/pallas/translation.hpp"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tandem::compiler::pallas {
namespace {

namespace arith = mlir::arith;

// The ones supported on vectors (tpu/expansions/operations.cpp).
bool has_form(llvm::StringRef name) {
  static const llvm::StringSet<> all{
      "arith.addf",     "arith.subf",   "arith.mulf",    "arith.divf",     "arith.maximumf",
      "arith.minimumf", "arith.negf",   "arith.remf",    "arith.addi",     "arith.subi",
      "arith.muli",     "arith.divsi",  "arith.divui",   "arith.remsi",    "arith.remui",
      "arith.maxsi",    "arith.minsi",  "arith.maxui",   "arith.minui",    "arith.andi",
      "arith.ori",      "arith.xori",   "arith.shli",    "arith.shrui",    "arith.shrsi",
      "arith.cmpi",     "arith.cmpf",   "arith.select",  "arith.extf",     "arith.truncf",
      "arith.extsi",    "arith.extui",  "arith.trunci",  "arith.sitofp",   "arith.uitofp",
      "arith.fptosi",   "arith.fptoui", "arith.bitcast", "math.absf",      "math.absi",
      "math.ceil",      "math.floor",   "math.round",    "math.roundeven", "math.copysign",
      "math.sqrt",      "math.rsqrt",   "math.exp",      "math.exp2",      "math.expm1",
      "math.log",       "math.log1p",   "math.tanh",     "math.sin",       "math.cos",
      "math.tan",       "math.atan2",   "math.cbrt",     "math.powf",      "math.ctpop",
      "math.ctlz"};
  return all.contains(name);
}

// The ones supported by the scalar unit (asm/control.cpp); numbers narrower than a word are
// computed on vectors.
bool has_scalar_form(Operation* op) {
  static const llvm::StringSet<> all{
      "arith.addi",  "arith.subi", "arith.muli",   "arith.maxsi", "arith.minsi", "arith.maxui",
      "arith.minui", "arith.andi", "arith.ori",    "arith.xori",  "arith.shli",  "arith.shrui",
      "arith.shrsi", "arith.cmpi", "arith.select", "arith.extui", "arith.extsi"};
  const auto is_word = [](mlir::Type type) {
    return type.isInteger(1) || type.isInteger(32) || type.isIndex();
  };
  return all.contains(mosaic::name_of(op)) && llvm::all_of(op->getOperandTypes(), is_word) &&
         llvm::all_of(op->getResultTypes(), is_word);
}

// JAX writes `!=` of floats, which is true of NaN, as "ordered and not equal", which is not.
std::int64_t predicate_of(Operation* op, mlir::IntegerAttr said) {
  using Predicate = arith::CmpFPredicate;
  const bool is_jax_unequal = mosaic::name_of(op) == "arith.cmpf" &&
                              said.getInt() == static_cast<std::int64_t>(Predicate::ONE);
  return is_jax_unequal ? static_cast<std::int64_t>(Predicate::UNE) : said.getInt();
}

// The same operation on our elements.
Value element_operation(mlir::OpBuilder& builder, mlir::Location loc, Operation* op,
                        mlir::ValueRange operands, mlir::Type result) {
  mlir::OperationState state(loc, mosaic::name_of(op));
  state.addOperands(operands);
  state.addTypes(result);
  if (const auto predicate = op->getAttrOfType<mlir::IntegerAttr>("predicate")) {
    state.addAttribute("predicate", builder.getI64IntegerAttr(predicate_of(op, predicate)));
  }
  return builder.create(state)->getResult(0);
}

mlir::Attribute constant_value(Translation& translation, Operation* op, mlir::Type kind) {
  mlir::Attribute value = op->getAttr("value");
  if (const auto dense = mlir::dyn_cast_or_null<mlir::DenseElementsAttr>(value)) {
    if (!dense.isSplat()) return {};
    value = dense.getSplatValue<mlir::Attribute>();
  }
  if (const auto real = mlir::dyn_cast_or_null<mlir::FloatAttr>(value)) {
    return translation.builder.getFloatAttr(kind, real.getValue());
  }
  const auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(value);
  return number ? translation.builder.getIntegerAttr(kind, number.getValue()) : mlir::Attribute();
}

}  // namespace

mlir::FailureOr<Values> nothing(Translation& translation, Operation* op) {
  (void)translation;
  (void)op;
  return Values{};
}

mlir::FailureOr<Values> constant(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const mlir::Attribute value = constant_value(translation, op, type.getElementType());
  if (!value) {
    return translation.error(op)
           << "unimplemented: a constant of several numbers in a Pallas kernel";
  }
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  const Value scalar = arith::ConstantOp::create(builder, loc, mlir::cast<mlir::TypedAttr>(value));
  const bool is_vector = mlir::isa<mlir::VectorType>(op->getResult(0).getType());
  if (!is_vector && !mlir::isa<mlir::FloatType>(type.getElementType())) return Values{scalar};
  return Values{filled_tensor(builder, loc, type, scalar)};
}

mlir::FailureOr<Values> index_cast(Translation& translation, Operation* op) {
  const mlir::Type type = translation.element(op, op->getResult(0).getType());
  const Value from = translation.get(op->getOperand(0));
  if (!type) return mlir::failure();
  if (!from.getType().isIntOrIndex()) {
    return translation.error(op) << "unimplemented: vectors of indices in a Pallas kernel";
  }
  if (from.getType() == type) return Values{from};
  return Values{
      arith::IndexCastOp::create(translation.builder, translation.location(op), type, from)};
}

// Bits of words as words of another kind.
mlir::FailureOr<Values> bitcast(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const Value value = translation.get(op->getOperand(0));
  const auto from = mlir::dyn_cast<mlir::RankedTensorType>(value.getType());
  if (from == type) return Values{value};
  if (!from || from.getShape() != type.getShape() ||
      from.getElementTypeBitWidth() != type.getElementTypeBitWidth()) {
    return translation.error(op)
           << "unimplemented: tpu.bitcast between elements of several sizes in "
              "a Pallas kernel";
  }
  return Values{parallel_generic(
      translation.builder, translation.location(op), type, value,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
        return arith::BitcastOp::create(nested, at, type.getElementType(), elements[0]);
      })};
}

// Exact, whether or not an approximation would do.
mlir::FailureOr<Values> reciprocal(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  return Values{parallel_generic(
      translation.builder, translation.location(op), type, translation.get(op->getOperand(0)),
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
        const Value one =
            arith::ConstantOp::create(nested, at, nested.getFloatAttr(type.getElementType(), 1.0));
        return arith::DivFOp::create(nested, at, one, elements[0]);
      })};
}

// Whether elements are infinite or NaN; the opposite of `jnp.isfinite`.
mlir::FailureOr<Values> weird(Translation& translation, Operation* op) {
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  const mlir::Location loc = translation.location(op);
  const Value value = translation.get(op->getOperand(0));
  const Value result = parallel_generic(
      translation.builder, loc, type, value,
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> Value {
        const auto kind = mlir::cast<mlir::FloatType>(elements[0].getType());
        const Value infinity = arith::ConstantOp::create(
            nested, at, nested.getFloatAttr(kind, llvm::APFloat::getInf(kind.getFloatSemantics())));
        const Value magnitude = mlir::math::AbsFOp::create(nested, at, elements[0]);
        return arith::CmpFOp::create(nested, at, arith::CmpFPredicate::UGE, magnitude, infinity);
      });
  const bool is_vector = mlir::isa<mlir::VectorType>(op->getResult(0).getType());
  return Values{is_vector ? result : scalar_of(translation.builder, loc, result)};
}

mlir::FailureOr<Values> same(Translation& translation, Operation* op) {
  return Values{translation.get(op->getOperand(0))};
}

mlir::FailureOr<Values> grid_bound(Translation& translation, Operation* op) {
  const auto number = op->getAttrOfType<mlir::IntegerAttr>("dim");
  if (!number || number.getInt() < 0 ||
      number.getInt() >= static_cast<std::int64_t>(translation.bounds.size())) {
    return translation.error(op) << "a bound of a dimension that the grid does not have";
  }
  return Values{translation.bounds[static_cast<std::size_t>(number.getInt())]};
}

mlir::FailureOr<Values> elementwise(Translation& translation, Operation* op) {
  const llvm::StringRef name = mosaic::name_of(op);
  const mlir::RankedTensorType type = translation.tensor(op, op->getResult(0).getType());
  if (!type) return mlir::failure();
  if (!has_form(name)) {
    return translation.error(op) << "unimplemented: " << name << " in a Pallas kernel";
  }
  mlir::OpBuilder& builder = translation.builder;
  const mlir::Location loc = translation.location(op);
  Values operands = translation.get(op->getOperands());
  const mlir::Type kind = type.getElementType();
  if (has_scalar_form(op)) return Values{element_operation(builder, loc, op, operands, kind)};
  llvm::SmallVector<mlir::AffineMap> maps;
  for (Value& operand : operands) {
    operand = translation.as_tensor(loc, operand);
    // A scalar condition chooses for all elements at once.
    const auto rank = mlir::cast<mlir::RankedTensorType>(operand.getType()).getRank();
    maps.push_back(rank == type.getRank()
                       ? builder.getMultiDimIdentityMap(type.getRank())
                       : mlir::AffineMap::get(type.getRank(), 0, builder.getContext()));
  }
  const Value result =
      parallel_generic(builder, loc, type, operands, maps,
                       [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) {
                         return element_operation(nested, at, op, elements, kind);
                       });
  const bool is_integer = type.getRank() == 0 && !mlir::isa<mlir::FloatType>(kind) &&
                          !mlir::isa<mlir::VectorType>(op->getResult(0).getType());
  return Values{is_integer ? scalar_of(builder, loc, result) : result};
}

}  // namespace tandem::compiler::pallas
