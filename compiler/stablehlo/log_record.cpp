#include "compiler/stablehlo/log_record.hpp"

#include "isa/launch/log.hpp"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

RankedTensorType type_of(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

// Makes StableHLO's operations at one place.
class Maker {
 public:
  Maker(mlir::OpBuilder& builder, mlir::Location loc) : builder_(builder), loc_(loc) {}

  Value make(llvm::StringRef name, mlir::ValueRange operands, mlir::Type type,
             llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    mlir::OperationState state(loc_, ("stablehlo." + name).str(), operands, mlir::TypeRange(type),
                               attributes);
    return builder_.create(state)->getResult(0);
  }

  // Elements of another type in the same shape.
  Value as(llvm::StringRef name, Value value, mlir::Type element) {
    return make(name, value, type_of(value).clone(element));
  }

  Value number(std::int64_t value) {
    const auto type = RankedTensorType::get({}, builder_.getI32Type());
    return make(
        "constant", {}, type,
        named("value", mlir::DenseElementsAttr::get(type, static_cast<std::int32_t>(value))));
  }

  Value words(llvm::ArrayRef<std::int32_t> values) {
    const auto type =
        RankedTensorType::get({static_cast<std::int64_t>(values.size())}, builder_.getI32Type());
    return make("constant", {}, type, named("value", mlir::DenseElementsAttr::get(type, values)));
  }

  Value flat(Value value) {
    const std::int64_t count = type_of(value).getNumElements();
    return make("reshape", value, type_of(value).clone({count}));
  }

  Value add(Value a, Value b) { return make("add", {a, b}, a.getType()); }

  Value choose(Value condition, Value a, Value b) {
    return make("select", {condition, a, b}, a.getType());
  }

  Value at_most(Value a, Value b) {
    return make("compare", {a, b}, type_of(a).clone(builder_.getI1Type()),
                named("comparison_direction", builder_.getStringAttr("LE")));
  }

  void write(Value at, mlir::ValueRange pieces) {
    llvm::SmallVector<Value> operands{at};
    operands.append(pieces.begin(), pieces.end());
    mlir::OperationState state(loc_, "stablehlo.custom_call", operands, mlir::TypeRange(),
                               {named("call_target_name", builder_.getStringAttr("tandem.log")),
                                named("has_side_effect", builder_.getBoolAttr(true))});
    builder_.create(state);
  }

  void write_state(LogState state) {
    const Value both[] = {flat(state.used), flat(state.lost)};
    const Value joined =
        make("concatenate", both, type_of(both[0]).clone({2}), named("dimension", zero()));
    write(number(0), joined);
  }

  mlir::NamedAttribute named(llvm::StringRef name, mlir::Attribute value) {
    return builder_.getNamedAttr(name, value);
  }

  mlir::OpBuilder& builder() { return builder_; }

 private:
  mlir::Attribute zero() { return builder_.getI64IntegerAttr(0); }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
};

// An element a word: the bits of reals, integers extended as their type says.
Value words_of(Maker& make, Value value) {
  const mlir::Type element = type_of(value).getElementType();
  mlir::Builder& builder = make.builder();
  const unsigned width = element.getIntOrFloatBitWidth();
  if (mlir::isa<mlir::FloatType>(element)) {
    value = make.as("bitcast_convert", value,
                    width == 32 ? builder.getI32Type() : builder.getIntegerType(width, false));
  }
  const auto integer = mlir::cast<mlir::IntegerType>(type_of(value).getElementType());
  if (integer.getWidth() == 32 && integer.isUnsigned()) {
    value = make.as("bitcast_convert", value, builder.getI32Type());
  } else if (integer.getWidth() < 32) {
    value = make.as("convert", value, builder.getI32Type());
  }
  return make.flat(value);
}

std::int64_t record_words(Operation* call) {
  std::int64_t words = log_header_words;
  for (const mlir::Type type : call->getOperandTypes()) {
    words += mlir::cast<mlir::ShapedType>(type).getNumElements();
  }
  return words;
}

mlir::DictionaryAttr configuration(Operation* call) {
  auto config = call->getAttrOfType<mlir::DictionaryAttr>("backend_config");
  // So JAX writes it down for versions of StableHLO that had strings only.
  return config ? config : call->getAttrOfType<mlir::DictionaryAttr>("mhlo.backend_config");
}

bool is_in(Operation* op, llvm::ArrayRef<llvm::StringRef> names) {
  for (op = op->getParentOp(); op != nullptr; op = op->getParentOp()) {
    if (llvm::is_contained(names, op->getName().getStringRef())) return true;
  }
  return false;
}

// No number, or the largest one: what nobody takes for a result.
Value no_value(Maker& make, mlir::Type type) {
  const auto tensor = mlir::cast<RankedTensorType>(type);
  const mlir::Type element = tensor.getElementType();
  mlir::Attribute value;
  if (const auto real = mlir::dyn_cast<mlir::FloatType>(element)) {
    value = mlir::FloatAttr::get(real, llvm::APFloat::getNaN(real.getFloatSemantics()));
  } else {
    const unsigned width = element.getIntOrFloatBitWidth();
    const bool has_sign = width > 1 && !element.isUnsignedInteger();
    value = mlir::IntegerAttr::get(element, has_sign ? llvm::APInt::getSignedMaxValue(width)
                                                     : llvm::APInt::getMaxValue(width));
  }
  return make.make("constant", {}, type,
                   make.named("value", mlir::DenseElementsAttr::get(tensor, value)));
}

// What a call gives cannot be had before the program halts. A branch that no run takes may have one
// all the same: where one is taken, the host calls at the end, and what it says ends the run.
mlir::LogicalResult replace_results(Maker& make, Operation* call, mlir::DictionaryAttr config) {
  if (call->getNumResults() == 0) return mlir::success();
  if (!is_in(call, {"stablehlo.case", "stablehlo.if"})) {
    const auto name = config.getAs<mlir::StringAttr>("name");
    return call->emitError("unimplemented: ")
           << (name ? name.getValue() : llvm::StringRef("a callback"))
           << " on Tandem: a program is one launch, and nothing of it runs on the host before it "
              "halts; return the value from the function instead";
  }
  for (mlir::OpResult result : call->getResults()) {
    result.replaceAllUsesWith(no_value(make, result.getType()));
  }
  return mlir::success();
}

}  // namespace

bool is_log_call(Operation* op) {
  const auto target = op->getAttrOfType<mlir::StringAttr>("call_target_name");
  return target && target.getValue() == "tandem.debug";
}

LogPlan plan_log(mlir::func::FuncOp function, std::int64_t most_words) {
  std::int64_t all = log_state_words;
  std::int64_t largest = 0;
  bool repeats = false;
  function.walk([&](Operation* op) {
    if (!is_log_call(op)) return;
    const std::int64_t words = record_words(op);
    all += words;
    if (log_state_words + words <= most_words) largest = std::max(largest, words);
    repeats |= is_in(op, {"stablehlo.while"});
  });
  if (!repeats && all <= most_words) return {all, 0, true};
  return {std::max(most_words, std::int64_t{log_state_words}), largest, false};
}

LogState begin_log(mlir::OpBuilder& builder, mlir::Location loc) {
  Maker make(builder, loc);
  make.write(make.number(0), make.words({log_state_words, 0}));
  return {make.number(log_state_words), make.number(0)};
}

mlir::FailureOr<LogState> append_record(Operation* call, LogState state, const LogPlan& plan) {
  mlir::OpBuilder builder(call);
  Maker make(builder, call->getLoc());
  const mlir::DictionaryAttr config = configuration(call);
  const auto number = config ? config.getAs<mlir::IntegerAttr>("index") : mlir::IntegerAttr();
  if (!number) return call->emitError("a call of the host has a configuration with its index");
  if (mlir::failed(replace_results(make, call, config))) return mlir::failure();
  const std::int64_t size = record_words(call);
  LogState next = state;
  if (size > plan.capacity - log_state_words) {
    next.lost = make.add(state.lost, make.number(1));
  } else {
    llvm::SmallVector<Value> pieces{
        make.words({static_cast<std::int32_t>(number.getInt()), static_cast<std::int32_t>(size)})};
    for (const Value operand : call->getOperands()) {
      if (type_of(operand).getNumElements() != 0) pieces.push_back(words_of(make, operand));
    }
    Value at = state.used;
    next.used = make.add(state.used, make.number(size));
    if (!plan.always_fits) {
      const Value fits = make.at_most(state.used, make.number(plan.capacity - size));
      at = make.choose(fits, state.used, make.number(plan.capacity));
      next.used = make.choose(fits, next.used, state.used);
      next.lost = make.add(state.lost, make.choose(fits, make.number(0), make.number(1)));
    }
    make.write(at, pieces);
  }
  make.write_state(next);
  call->erase();
  return next;
}

}  // namespace tandem::compiler
