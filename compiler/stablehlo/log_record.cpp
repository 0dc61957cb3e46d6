#include "compiler/stablehlo/log_record.hpp"

#include "compiler/stablehlo/maker.hpp"
#include "isa/launch/log.hpp"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;

Value number(Maker& make, std::int64_t value) {
  return make.all(RankedTensorType::get({}, make.builder().getI32Type()),
                  static_cast<double>(value));
}

Value flat(Maker& make, Value value) {
  return make.reshape(value, {type_of(value).getNumElements()});
}

Value words(Maker& make, llvm::ArrayRef<std::int32_t> values) {
  const auto type = RankedTensorType::get({static_cast<std::int64_t>(values.size())},
                                          make.builder().getI32Type());
  return make.constant(type, mlir::DenseElementsAttr::get(type, values));
}

void custom_call(Maker& make, llvm::StringRef target, mlir::ValueRange operands) {
  mlir::OpBuilder& builder = make.builder();
  mlir::OperationState state(make.loc(), "stablehlo.custom_call");
  state.addOperands(operands);
  state.addAttribute("call_target_name", builder.getStringAttr(target));
  state.addAttribute("has_side_effect", builder.getBoolAttr(true));
  builder.create(state);
}

void write(Maker& make, Value at, mlir::ValueRange pieces) {
  llvm::SmallVector<Value> operands{at};
  operands.append(pieces.begin(), pieces.end());
  custom_call(make, "tandem_log", operands);
}

void write_state(Maker& make, LogState state) {
  write(make, number(make, 0),
        make.concatenate({flat(make, state.used), flat(make, state.lost)}, 0));
}

// One word per element: the bits of reals (those of fewer than 16 bits as fp32), integers extended
// according to their type.
Value word_each(Maker& make, Value value) {
  mlir::OpBuilder& builder = make.builder();
  const mlir::Type element = type_of(value).getElementType();
  const unsigned width = element.getIntOrFloatBitWidth();
  if (mlir::isa<mlir::FloatType>(element)) {
    if (width < 16) value = make.convert(value, builder.getF32Type());
    const bool is_word = type_of(value).getElementTypeBitWidth() == 32;
    value = make.bits(value, is_word ? builder.getI32Type() : builder.getIntegerType(16, false));
  }
  if (type_of(value).getElementTypeBitWidth() == 32) value = make.bits(value, builder.getI32Type());
  return flat(make, make.convert(value, builder.getI32Type()));
}

// The pieces of the record for an operand: for complex numbers all real parts, then all imaginary
// parts.
void append_words(Maker& make, Value value, llvm::SmallVector<Value>& pieces) {
  if (type_of(value).getNumElements() == 0) return;
  if (!mlir::isa<mlir::ComplexType>(type_of(value).getElementType())) {
    pieces.push_back(word_each(make, value));
    return;
  }
  const mlir::Type real = with_element(value.getType(), make.builder().getF32Type());
  for (const llvm::StringRef part : {"real", "imag"}) {
    pieces.push_back(word_each(make, make.make(part, value, real)));
  }
}

std::int64_t record_words(Operation* call) {
  std::int64_t words = log_header_words;
  for (const mlir::Type type : call->getOperandTypes()) {
    const auto tensor = mlir::cast<mlir::ShapedType>(type);
    words +=
        tensor.getNumElements() * (mlir::isa<mlir::ComplexType>(tensor.getElementType()) ? 2 : 1);
  }
  return words;
}

mlir::DictionaryAttr configuration(Operation* call) {
  auto config = call->getAttrOfType<mlir::DictionaryAttr>("backend_config");
  // JAX writes it this way for versions of StableHLO that had only strings.
  return config ? config : call->getAttrOfType<mlir::DictionaryAttr>("mhlo.backend_config");
}

bool is_in(Operation* op, llvm::ArrayRef<llvm::StringRef> names) {
  for (op = op->getParentOp(); op != nullptr; op = op->getParentOp()) {
    if (llvm::is_contained(names, op->getName().getStringRef())) return true;
  }
  return false;
}

// NaN, or the largest integer: values that are easily told from results.
mlir::Attribute no_number(mlir::Type element) {
  if (const auto real = mlir::dyn_cast<mlir::FloatType>(element)) {
    const llvm::fltSemantics& form = real.getFloatSemantics();
    return mlir::FloatAttr::get(real, llvm::APFloat::semanticsHasNaN(form)
                                          ? llvm::APFloat::getNaN(form)
                                          : llvm::APFloat::getLargest(form));
  }
  const unsigned width = element.getIntOrFloatBitWidth();
  const bool has_sign = width > 1 && !element.isUnsignedInteger();
  return mlir::IntegerAttr::get(
      element, has_sign ? llvm::APInt::getSignedMaxValue(width) : llvm::APInt::getMaxValue(width));
}

Value no_value(Maker& make, mlir::Type type) {
  const auto tensor = mlir::cast<RankedTensorType>(type);
  if (const auto pair = mlir::dyn_cast<mlir::ComplexType>(tensor.getElementType())) {
    const Value part = no_value(make, with_element(type, pair.getElementType()));
    return make.make("complex", {part, part}, type);
  }
  return make.constant(tensor,
                       mlir::DenseElementsAttr::get(tensor, no_number(tensor.getElementType())));
}

// The result of a call is not available before the program halts. A branch that no run takes may
// still have one: if it is taken, the program ends there, and the host makes the call then.
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
    if (!mlir::isa<RankedTensorType>(result.getType())) {
      return call->emitError("unimplemented: values of type ") << result.getType();
    }
    result.replaceAllUsesWith(no_value(make, result.getType()));
  }
  return mlir::success();
}

}  // namespace

bool is_log_call(Operation* op) {
  const auto target = op->getAttrOfType<mlir::StringAttr>("call_target_name");
  return target && target.getValue() == "tandem_debug";
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
  Maker make(loc, builder);
  const LogState state{number(make, log_state_words), number(make, 0)};
  write_state(make, state);
  return state;
}

mlir::FailureOr<LogState> append_record(Operation* call, LogState state, const LogPlan& plan) {
  Maker make(call);
  const mlir::DictionaryAttr config = configuration(call);
  const auto index = config ? config.getAs<mlir::IntegerAttr>("index") : mlir::IntegerAttr();
  if (!index) return call->emitError("a call of the host has a configuration with its index");
  if (mlir::failed(replace_results(make, call, config))) return mlir::failure();
  const std::int64_t size = record_words(call);
  LogState next = state;
  if (size > plan.capacity - log_state_words) {
    next.lost = make.on("add", {state.lost, number(make, 1)});
  } else {
    llvm::SmallVector<Value> pieces{
        words(make, {static_cast<std::int32_t>(index.getInt()), static_cast<std::int32_t>(size)})};
    for (const Value operand : call->getOperands()) append_words(make, operand, pieces);
    Value at = state.used;
    next.used = make.on("add", {state.used, number(make, size)});
    if (!plan.always_fits) {
      const Value fits = make.compare("LE", state.used, number(make, plan.capacity - size));
      at = make.choose(fits, state.used, number(make, plan.capacity));
      next.used = make.choose(fits, next.used, state.used);
      const Value more = make.choose(fits, number(make, 0), number(make, 1));
      next.lost = make.on("add", {state.lost, more});
    }
    write(make, at, pieces);
  }
  write_state(make, next);
  if (call->getNumResults() != 0) custom_call(make, "tandem_stop", {});
  call->erase();
  return next;
}

}  // namespace tandem::compiler
