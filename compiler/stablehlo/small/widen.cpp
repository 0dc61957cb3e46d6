// Types of fewer than 8 bits, and floats of 8, in terms of the types of the rest of the compiler.
//
// Integers of 4 and 2 bits are bytes, sign-extended or zero-extended: after arithmetic the upper
// bits are extended again. Floats are bf16 (formats.hpp): arithmetic is done in fp32 and rounded to
// the format. Operations that only move or compare elements stay as they are.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/stablehlo/small/formats.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::Value;
using Values = llvm::SmallVector<Value>;

mlir::IntegerType small_integer(mlir::Type type) {
  const auto integer = mlir::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
  const bool fits = integer && (integer.getWidth() == 4 || integer.getWidth() == 2);
  return fits ? integer : mlir::IntegerType();
}

const Format* format_of(mlir::Type type) { return find_format(mlir::getElementTypeOrSelf(type)); }

bool is_small(mlir::Type type) {
  return mlir::isa<mlir::RankedTensorType>(type) && (small_integer(type) || format_of(type));
}

mlir::Type carrier(mlir::Type type) {
  mlir::MLIRContext* context = type.getContext();
  if (format_of(type) != nullptr) return with_element(type, mlir::BFloat16Type::get(context));
  const mlir::IntegerType integer = small_integer(type);
  if (!integer) return type;
  return with_element(type, mlir::IntegerType::get(context, 8, integer.getSignedness()));
}

// The elements as the launch has them: their bits are the lowest of a byte, the others are zero.
mlir::Type byte_type(mlir::Type type) {
  return with_element(type,
                      mlir::IntegerType::get(type.getContext(), 8, mlir::IntegerType::Unsigned));
}

std::string element_name(mlir::Type type) {
  if (const Format* format = format_of(type)) return format->name.str();
  const mlir::IntegerType integer = small_integer(type);
  return (integer.isUnsigned() ? "u" : "s") + std::to_string(integer.getWidth());
}

// Operations whose results are in range whenever the operands are.
bool keeps_type(llvm::StringRef name) {
  static const llvm::StringSet<> names{"broadcast_in_dim",
                                       "reshape",
                                       "slice",
                                       "transpose",
                                       "reverse",
                                       "select",
                                       "gather",
                                       "pad",
                                       "dynamic_slice",
                                       "dynamic_update_slice",
                                       "concatenate",
                                       "while",
                                       "case",
                                       "if",
                                       "optimization_barrier",
                                       "reduce",
                                       "scatter",
                                       "sort",
                                       "reduce_window",
                                       "select_and_scatter",
                                       "maximum",
                                       "minimum",
                                       "clamp",
                                       "compare",
                                       "return",
                                       "map",
                                       "and",
                                       "or",
                                       "xor",
                                       "get_tuple_element",
                                       "shift_right_arithmetic"};
  return names.contains(name);
}

class Widener {
 public:
  mlir::LogicalResult function(mlir::func::FuncOp function) {
    llvm::SmallVector<Operation*> operations;
    function.walk([&](Operation* op) {
      if (touches(op)) operations.push_back(op);
    });
    note_types(function);
    for (Operation* op : operations) {
      if (mlir::failed(rewrite(op))) return mlir::failure();
    }
    take_arguments(function);
    return mlir::success();
  }

 private:
  static bool touches(Operation* op) {
    return llvm::any_of(op->getOperandTypes(), is_small) ||
           llvm::any_of(op->getResultTypes(), is_small);
  }

  // Every value gets its new type; the old one is remembered.
  void note_types(mlir::func::FuncOp function) {
    const auto change = [&](Value value) {
      if (!is_small(value.getType())) return;
      types_[value] = value.getType();
      value.setType(carrier(value.getType()));
    };
    function.walk([&](mlir::Block* block) {
      for (const mlir::BlockArgument argument : block->getArguments()) change(argument);
      for (Operation& op : *block) {
        for (const Value result : op.getResults()) change(result);
      }
    });
  }

  // Null where it was none of these types.
  [[nodiscard]] mlir::Type original(Value value) const { return types_.lookup(value); }

  mlir::LogicalResult rewrite(Operation* op) {
    if (mlir::isa<mlir::func::ReturnOp>(op)) return leave(op);
    llvm::StringRef name = op->getName().getStringRef();
    name.consume_front("stablehlo.");
    if (name == "constant") return constant(op);
    if (name == "bitcast_convert") return bitcast(op);
    if (keeps_type(name)) return mlir::success();
    for (mlir::OpOperand& operand : op->getOpOperands()) enter(op, name, operand);
    for (const Value result : op->getResults()) again(op, result);
    return mlir::success();
  }

  // Operands of arithmetic: fp32 for a float; without the copies of the sign where an operation
  // looks at the upper bits.
  void enter(Operation* op, llvm::StringRef name, mlir::OpOperand& operand) {
    const mlir::Type type = original(operand.get());
    if (!type || name == "dot_general" || name == "convolution") return;
    Maker maker(op);
    if (format_of(type) != nullptr) {
      operand.set(maker.convert(operand.get(), maker.builder().getF32Type()));
      return;
    }
    const bool shown = name == "popcnt" || name == "count_leading_zeros" ||
                       (name == "shift_right_logical" && operand.getOperandNumber() == 0);
    if (!shown) return;
    const Term value{&maker, operand.get()};
    operand.set((value & value.constant((1 << small_integer(type).getWidth()) - 1)).value);
  }

  // Brings the result of arithmetic back into the range of the type.
  void again(Operation* op, Value result) {
    const mlir::Type type = original(result);
    if (!type) return;
    mlir::OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Maker maker(op->getLoc(), builder);
    llvm::SmallPtrSet<Operation*, 8> made;
    Value value = result;
    Operation* before = op->getNextNode();
    if (const Format* format = format_of(type)) {
      result.setType(with_element(type, builder.getF32Type()));
      value = maker.convert(rounded({&maker, result}, *format).value, builder.getBF16Type());
    } else {
      const mlir::IntegerType integer = small_integer(type);
      const bool counts = op->getName().getStringRef() == "stablehlo.count_leading_zeros";
      const Term term{&maker, result};
      value =
          wrapped(counts ? term - (8 - static_cast<int>(integer.getWidth())) : term, integer).value;
    }
    for (Operation* made_op = op->getNextNode(); made_op != before;
         made_op = made_op->getNextNode()) {
      made.insert(made_op);
    }
    result.replaceUsesWithIf(value,
                             [&](mlir::OpOperand& use) { return !made.contains(use.getOwner()); });
    types_[value] = type;
  }

  static Term wrapped(const Term& value, mlir::IntegerType type) {
    const Term distance = value.constant(8 - static_cast<int>(type.getWidth()));
    const llvm::StringRef back =
        type.isUnsigned() ? "shift_right_logical" : "shift_right_arithmetic";
    return apply(back, apply("shift_left", value, distance), distance);
  }

  mlir::LogicalResult constant(Operation* op) {
    const mlir::Type type = original(op->getResult(0));
    const auto value = op->getAttrOfType<mlir::DenseElementsAttr>("value");
    if (!type || !value) return mlir::success();
    const mlir::Type element = mlir::getElementTypeOrSelf(carrier(type));
    if (mlir::isa<mlir::FloatType>(element)) {
      const auto bits = [](llvm::APFloat number) {
        bool inexact = false;
        number.convert(llvm::APFloat::BFloat(), llvm::APFloat::rmNearestTiesToEven, &inexact);
        return number.bitcastToAPInt();
      };
      op->setAttr("value", mlir::cast<mlir::DenseFPElementsAttr>(value).mapValues(
                               element, [&](const llvm::APFloat& number) { return bits(number); }));
    } else {
      const bool is_unsigned = element.isUnsignedInteger();
      op->setAttr("value", mlir::cast<mlir::DenseIntElementsAttr>(value).mapValues(
                               element, [&](const llvm::APInt& number) {
                                 return is_unsigned ? number.zext(8) : number.sext(8);
                               }));
    }
    return mlir::success();
  }

  // Bits of a float go through its byte. Several small integers in a larger one are not supported.
  mlir::LogicalResult bitcast(Operation* op) {
    const mlir::Type from = original(op->getOperand(0));
    const mlir::Type to = original(op->getResult(0));
    const auto width = [](mlir::Type type, Value value) {
      return mlir::getElementTypeOrSelf(type ? type : value.getType()).getIntOrFloatBitWidth();
    };
    const unsigned from_width = width(from, op->getOperand(0));
    const unsigned to_width = width(to, op->getResult(0));
    if (from_width != to_width && std::min(from_width, to_width) < 8) {
      return op->emitError("unimplemented: stablehlo.bitcast_convert between widths of ")
             << from_width << " and " << to_width << " bits";
    }
    Maker maker(op);
    Value bytes = op->getOperand(0);
    if (from) bytes = as_bytes(maker, bytes, from);
    const mlir::Type wanted = to ? byte_type(to) : op->getResult(0).getType();
    if (bytes.getType() != wanted) bytes = maker.make("bitcast_convert", bytes, wanted);
    if (to) bytes = from_bytes(maker, bytes, to);
    op->getResult(0).replaceAllUsesWith(bytes);
    if (to) types_[bytes] = to;
    op->erase();
    return mlir::success();
  }

  static Value as_bytes(Maker& maker, Value value, mlir::Type type) {
    if (const Format* format = format_of(type)) {
      const Value number = maker.convert(value, maker.builder().getF32Type());
      return encoded({&maker, number}, *format).value;
    }
    const mlir::Type byte = byte_type(type);
    const Term bits{&maker, maker.convert(value, mlir::getElementTypeOrSelf(byte))};
    return (bits & bits.constant((1 << small_integer(type).getWidth()) - 1)).value;
  }
  // The upper bits are ignored.
  static Value from_bytes(Maker& maker, Value bytes, mlir::Type type) {
    if (const Format* format = format_of(type)) {
      return maker.convert(decoded({&maker, bytes}, *format).value, maker.builder().getBF16Type());
    }
    const mlir::Type element = mlir::getElementTypeOrSelf(carrier(type));
    return wrapped({&maker, maker.convert(bytes, element)}, small_integer(type)).value;
  }

  void take_arguments(mlir::func::FuncOp function) {
    mlir::Block& body = function.getBody().front();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&body);
    llvm::SmallVector<mlir::Type> inputs;
    for (mlir::BlockArgument argument : body.getArguments()) {
      const mlir::Type type = original(argument);
      if (type) {
        Maker maker(argument.getLoc(), builder);
        argument.setType(byte_type(type));
        const llvm::SmallVector<mlir::OpOperand*> uses(
            llvm::make_pointer_range(argument.getUses()));
        const Value number = from_bytes(maker, argument, type);
        for (mlir::OpOperand* use : uses) use->set(number);
        attribute::element.set(function, argument.getArgNumber(), element_name(type));
      }
      inputs.push_back(argument.getType());
    }
    llvm::SmallVector<mlir::Type> results;
    for (const auto [number, type] : llvm::enumerate(function.getResultTypes())) {
      results.push_back(is_small(type) ? byte_type(type) : type);
      if (is_small(type)) {
        attribute::element.set_result(function, number, element_name(type));
      }
    }
    function.setType(builder.getFunctionType(inputs, results));
  }

  mlir::LogicalResult leave(Operation* op) {
    Maker maker(op);
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      if (const mlir::Type type = original(operand.get())) {
        operand.set(as_bytes(maker, operand.get(), type));
      }
    }
    return mlir::success();
  }

  llvm::DenseMap<Value, mlir::Type> types_;
};

struct WidenSmall : ModulePass<WidenSmall, PassName::widen_small> {
  void run() {
    auto main = getOperation().lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || main.getBody().empty()) return;  // the check that follows reports it
    if (mlir::failed(Widener().function(main))) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_widen_small_pass() { return std::make_unique<WidenSmall>(); }

}  // namespace tandem::compiler
