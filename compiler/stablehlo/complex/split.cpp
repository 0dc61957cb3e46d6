// Complex numbers as pairs of fp32, from the first operation to the last. As an argument or result,
// a complex tensor is one tensor whose first dimension is the part.
//
// Operations that only move elements are applied to both parts; arithmetic is in arithmetic.cpp.
// Loops, branches, sorts and reductions carry both parts instead of one value; a reduction whose
// parts are independent, such as a sum, becomes two.
#include <complex>
#include <memory>
#include <vector>

#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/stablehlo/complex/parts.hpp"
#include "compiler/stablehlo/complex/separate.hpp"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Value;
using List = llvm::SmallVector<std::int64_t>;
using Values = llvm::SmallVector<Value>;

struct Pair {
  Value real;
  Value imaginary;
};

mlir::Type real_type(mlir::Type type) {
  return with_element(type, mlir::Float32Type::get(type.getContext()));
}

// The form used at the launch.
RankedTensorType joined_type(mlir::Type type) {
  List shape{2};
  llvm::append_range(shape, mlir::cast<RankedTensorType>(type).getShape());
  return RankedTensorType::get(shape, mlir::Float32Type::get(type.getContext()));
}

bool any_complex(mlir::TypeRange types) { return llvm::any_of(types, is_complex); }

// Operations applied in the same way to both parts.
bool is_partwise(llvm::StringRef name) {
  static const llvm::StringSet<> names{
      "broadcast_in_dim", "broadcast", "reshape",       "slice",  "transpose",
      "reverse",          "select",    "dynamic_slice", "gather", "dynamic_update_slice",
      "concatenate",      "pad"};
  return names.contains(name);
}

// Operations that pass values through, and take two for each complex one.
bool carries(llvm::StringRef name) {
  static const llvm::StringSet<> names{
      "while", "case",   "if", "optimization_barrier", "reduce", "reduce_window", "scatter",
      "sort",  "return", "map"};
  return names.contains(name);
}

class Splitter {
 public:
  mlir::LogicalResult function(mlir::func::FuncOp function) {
    mlir::Block& body = function.getBody().front();
    llvm::SmallVector<mlir::Type> inputs;
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&body);
    for (unsigned i = 0; i < body.getNumArguments(); ++i) {
      const mlir::BlockArgument argument = body.getArgument(i);
      if (is_complex(argument.getType())) take_argument(function, argument, builder);
      inputs.push_back(body.getArgument(i).getType());
    }
    if (mlir::failed(block(body))) return mlir::failure();
    llvm::SmallVector<mlir::Type> results;
    for (const auto [number, type] : llvm::enumerate(function.getResultTypes())) {
      results.push_back(is_complex(type) ? joined_type(type) : type);
      if (is_complex(type)) attribute::element.set_result(function, number, "c64");
    }
    function.setType(builder.getFunctionType(inputs, results));
    erase_replaced(0);
    return mlir::success();
  }

 private:
  using Handler = mlir::LogicalResult (Splitter::*)(Operation*);

  // An argument keeps its number: its parts are slices of it.
  void take_argument(mlir::func::FuncOp function, mlir::BlockArgument argument,
                     mlir::OpBuilder& builder) {
    const auto type = mlir::cast<RankedTensorType>(argument.getType());
    const mlir::Location loc = argument.getLoc();
    const mlir::BlockArgument whole =
        argument.getOwner()->insertArgument(argument.getArgNumber() + 1, joined_type(type), loc);
    Maker maker(loc, builder);
    const auto part = [&](std::int64_t number) {
      return maker.reshape(maker.part(whole, 0, number, number + 1), type.getShape());
    };
    const unsigned number = argument.getArgNumber();
    // The old value has no readers once everything is split.
    Value placeholder = stand_in(maker, type);
    pairs_[placeholder] = {part(0), part(1)};
    argument.replaceAllUsesWith(placeholder);
    argument.getOwner()->eraseArgument(number);
    attribute::element.set(function, number, "c64");
  }

  // A value of the old type whose parts are known.
  Value stand_in(Maker& maker, mlir::Type type) {
    mlir::OperationState state(maker.loc(), "stablehlo.complex", {}, type);
    Operation* op = maker.builder().create(state);
    stand_ins_.insert(op);
    replaced_.push_back(op);
    return op->getResult(0);
  }

  mlir::LogicalResult block(mlir::Block& block) {
    for (Operation& op : llvm::make_early_inc_range(block)) {
      if (mlir::failed(rewrite(&op))) return mlir::failure();
    }
    return mlir::success();
  }

  mlir::LogicalResult regions(Operation* op) {
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Block& inner : region) {
        if (mlir::failed(block(inner))) return mlir::failure();
      }
    }
    return mlir::success();
  }

  static bool touches(Operation* op) {
    if (any_complex(op->getOperandTypes()) || any_complex(op->getResultTypes())) return true;
    return llvm::any_of(op->getRegions(), [](mlir::Region& region) {
      return llvm::any_of(region,
                          [](mlir::Block& inner) { return any_complex(inner.getArgumentTypes()); });
    });
  }

  mlir::LogicalResult rewrite(Operation* op) {
    if (stand_ins_.contains(op)) return mlir::success();
    if (!touches(op)) return regions(op);
    if (mlir::isa<mlir::func::ReturnOp>(op)) return leave(op);
    llvm::StringRef name = op->getName().getStringRef();
    if (!name.consume_front("stablehlo.")) return refuse(op);
    replaced_.push_back(op);
    if (is_partwise(name)) return partwise(op);
    if (carries(name)) return carry(op);
    if (const OnOne function = find_on_one(name)) return set(op, function(parts(op, 0)));
    if (const OnTwo function = find_on_two(name)) {
      return set(op, function(parts(op, 0), parts(op, 1)));
    }
    const auto found = handlers().find(name);
    return found == handlers().end() ? refuse(op) : (this->*found->second)(op);
  }

  static mlir::LogicalResult refuse(Operation* op) {
    return op->emitError("unimplemented: ") << op->getName() << " of complex numbers";
  }

  static const llvm::StringMap<Handler>& handlers() {
    static const llvm::StringMap<Handler> table{
        {"constant", &Splitter::constant},   {"iota", &Splitter::iota},
        {"convert", &Splitter::convert},     {"real", &Splitter::real},
        {"imag", &Splitter::imaginary},      {"complex", &Splitter::complex},
        {"abs", &Splitter::absolute},        {"compare", &Splitter::compare},
        {"dot_general", &Splitter::product}, {"convolution", &Splitter::product},
        {"fft", &Splitter::transform},
    };
    return table;
  }

  Parts parts(Operation* op, unsigned operand) {
    makers_.push_back(std::make_unique<Maker>(op));
    Maker* maker = makers_.back().get();
    const Pair pair = pairs_.lookup(op->getOperand(operand));
    return {{maker, pair.real}, {maker, pair.imaginary}};
  }
  mlir::LogicalResult set(Operation* op, const Parts& parts) {
    return set(op, parts.real.value, parts.imaginary.value);
  }
  mlir::LogicalResult set(Operation* op, Value real, Value imaginary) {
    pairs_[op->getResult(0)] = {real, imaginary};
    return mlir::success();
  }
  static mlir::LogicalResult replace(Operation* op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    return mlir::success();
  }

  // The operation on one part of each complex operand.
  Value of_part(Operation* op, bool imaginary, mlir::ValueRange operands) {
    mlir::OperationState state(op->getLoc(), op->getName().getStringRef());
    state.addAttributes(op->getAttrs());
    for (const Value operand : operands) {
      if (!is_complex(operand.getType())) {
        state.addOperands(operand);
        continue;
      }
      const Pair pair = pairs_.lookup(operand);
      state.addOperands(imaginary ? pair.imaginary : pair.real);
    }
    state.addTypes(real_type(op->getResult(0).getType()));
    return mlir::OpBuilder(op).create(state)->getResult(0);
  }

  mlir::LogicalResult partwise(Operation* op) {
    return set(op, of_part(op, false, op->getOperands()), of_part(op, true, op->getOperands()));
  }

  Values expanded(mlir::ValueRange values) {
    Values result;
    for (const Value value : values) {
      if (is_complex(value.getType())) {
        const Pair pair = pairs_.lookup(value);
        result.append({pair.real, pair.imaginary});
      } else {
        result.push_back(value);
      }
    }
    return result;
  }

  // Each complex argument becomes two. In a sort two arguments belong to one operand.
  void expand_arguments(mlir::Block& block, unsigned together) {
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&block);
    for (unsigned i = 0; i < block.getNumArguments(); i += together) {
      const mlir::Type type = block.getArgument(i).getType();
      if (!is_complex(type)) continue;
      const mlir::Location loc = block.getArgument(i).getLoc();
      Maker maker(loc, builder);
      for (unsigned k = 0; k < 2 * together; ++k) {
        block.insertArgument(i + together + k, real_type(type), loc);
      }
      for (unsigned k = 0; k < together; ++k) {
        const Value old = stand_in(maker, type);
        pairs_[old] = {block.getArgument(i + together + k),
                       block.getArgument(i + 2 * together + k)};
        block.getArgument(i + k).replaceAllUsesWith(old);
      }
      block.eraseArguments(i, together);
      i += together;
    }
  }

  mlir::LogicalResult carry(Operation* op) {
    const bool sorts = op->getName().getStringRef() == "stablehlo.sort";
    mlir::OperationState state(op->getLoc(), op->getName().getStringRef());
    state.addAttributes(op->getAttrs());
    state.addOperands(expanded(op->getOperands()));
    for (const mlir::Type type : op->getResultTypes()) {
      if (is_complex(type)) state.addTypes(real_type(type));
      state.addTypes(is_complex(type) ? real_type(type) : type);
    }
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Block& inner : region) {
        const std::size_t before = replaced_.size();
        expand_arguments(inner, sorts ? 2 : 1);
        if (mlir::failed(block(inner))) return mlir::failure();
        erase_replaced(before);
      }
      state.addRegion()->takeBody(region);
    }
    Operation* carrying = mlir::OpBuilder(op).create(state);
    const Values results = separated(carrying);
    std::size_t next = 0;
    for (const Value result : op->getResults()) {
      if (is_complex(result.getType())) {
        pairs_[result] = {results[next], results[next + 1]};
        next += 2;
      } else {
        Value(result).replaceAllUsesWith(results[next++]);
      }
    }
    return mlir::success();
  }

  mlir::LogicalResult leave(Operation* op) {
    Maker maker(op);
    for (mlir::OpOperand& operand : op->getOpOperands()) {
      if (!is_complex(operand.get().getType())) continue;
      const Pair pair = pairs_.lookup(operand.get());
      const RankedTensorType whole = joined_type(operand.get().getType());
      List plane(whole.getShape());
      plane.front() = 1;
      operand.set(maker.concatenate(
          {maker.reshape(pair.real, plane), maker.reshape(pair.imaginary, plane)}, 0));
    }
    return mlir::success();
  }

  mlir::LogicalResult constant(Operation* op) {
    const auto value = op->getAttrOfType<mlir::DenseElementsAttr>("value");
    if (!value) return refuse(op);
    const auto type = mlir::cast<RankedTensorType>(real_type(op->getResult(0).getType()));
    llvm::SmallVector<llvm::APFloat> real;
    llvm::SmallVector<llvm::APFloat> imaginary;
    const auto add = [&](const std::complex<llvm::APFloat>& number) {
      real.push_back(number.real());
      imaginary.push_back(number.imag());
    };
    if (value.isSplat()) {
      add(value.getSplatValue<std::complex<llvm::APFloat>>());
    } else {
      for (const auto& number : value.getValues<std::complex<llvm::APFloat>>()) add(number);
    }
    Maker maker(op);
    return set(op, maker.constant(type, mlir::DenseElementsAttr::get(type, real)),
               maker.constant(type, mlir::DenseElementsAttr::get(type, imaginary)));
  }

  mlir::LogicalResult iota(Operation* op) {
    Maker maker(op);
    const mlir::Type type = real_type(op->getResult(0).getType());
    return set(op, maker.make("iota", {}, type, op->getAttrs()), maker.all(type, 0));
  }

  mlir::LogicalResult convert(Operation* op) {
    Maker maker(op);
    const Value from = op->getOperand(0);
    const mlir::Type to = op->getResult(0).getType();
    if (is_complex(from.getType()) && is_complex(to)) {
      const Pair pair = pairs_.lookup(from);
      return set(op, pair.real, pair.imaginary);
    }
    if (is_complex(from.getType())) {
      if (mlir::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(to))) return refuse(op);
      return replace(op, maker.convert(pairs_.lookup(from).real, mlir::getElementTypeOrSelf(to)));
    }
    if (mlir::isa<mlir::ComplexType>(mlir::getElementTypeOrSelf(from.getType()))) return refuse(op);
    const mlir::Type single = maker.builder().getF32Type();
    return set(op, maker.convert(from, single), maker.all(real_type(to), 0));
  }

  mlir::LogicalResult real(Operation* op) {
    return replace(op, pairs_.lookup(op->getOperand(0)).real);
  }
  mlir::LogicalResult imaginary(Operation* op) {
    return replace(op, pairs_.lookup(op->getOperand(0)).imaginary);
  }
  mlir::LogicalResult complex(Operation* op) {
    return set(op, op->getOperand(0), op->getOperand(1));
  }
  mlir::LogicalResult absolute(Operation* op) { return replace(op, magnitude(parts(op, 0)).value); }

  mlir::LogicalResult compare(Operation* op) {
    const auto direction = op->getAttrOfType<mlir::StringAttr>("comparison_direction");
    const bool equal = direction && direction.getValue() == "EQ";
    if (!direction || (!equal && direction.getValue() != "NE")) return refuse(op);
    Maker maker(op);
    const Pair a = pairs_.lookup(op->getOperand(0));
    const Pair b = pairs_.lookup(op->getOperand(1));
    const Value real = maker.compare(direction.getValue(), a.real, b.real);
    const Value imaginary = maker.compare(direction.getValue(), a.imaginary, b.imaginary);
    return replace(op, maker.on(equal ? "and" : "or", {real, imaginary}));
  }

  // Any operation that is linear in both operands.
  mlir::LogicalResult product(Operation* op) {
    if (!is_complex(op->getResult(0).getType())) return refuse(op);
    const auto both = [&](bool first, bool second) {
      const Pair a = pairs_.lookup(op->getOperand(0));
      const Pair b = pairs_.lookup(op->getOperand(1));
      return of_part(op, false, {first ? a.imaginary : a.real, second ? b.imaginary : b.real});
    };
    Maker maker(op);
    return set(op, maker.on("subtract", {both(false, false), both(true, true)}),
               maker.on("add", {both(false, true), both(true, false)}));
  }

  mlir::LogicalResult transform(Operation* op) {
    const auto kind = op->getAttrOfType<mlir::StringAttr>("fft_type");
    const auto lengths = op->getAttrOfType<mlir::DenseI64ArrayAttr>("fft_length");
    if (!kind || !lengths || lengths.size() > 3) return refuse(op);
    const mlir::Type type = op->getResult(0).getType();
    makers_.push_back(std::make_unique<Maker>(op));
    Maker* maker = makers_.back().get();
    const Value from = op->getOperand(0);
    Parts operand{{maker, from}, {maker, {}}};
    if (is_complex(from.getType())) operand = parts(op, 0);
    const bool none = mlir::cast<RankedTensorType>(type).getNumElements() == 0;
    const Term zero{maker, none ? maker->all(real_type(type), 0) : Value()};
    const Parts result =
        none ? Parts{zero, zero} : fourier(operand, kind.getValue(), lengths.asArrayRef());
    return is_complex(type) ? set(op, result) : replace(op, result.real.value);
  }

  // All but the first `kept`.
  void erase_replaced(std::size_t kept) {
    while (replaced_.size() > kept) {
      Operation* op = replaced_.pop_back_val();
      stand_ins_.erase(op);
      op->erase();
    }
  }

  llvm::DenseMap<Value, Pair> pairs_;
  llvm::SmallVector<Operation*> replaced_;
  llvm::DenseSet<Operation*> stand_ins_;
  std::vector<std::unique_ptr<Maker>> makers_;
};

struct SplitComplex : ModulePass<SplitComplex, PassName::split_complex> {
  void run() {
    auto main = getOperation().lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || main.getBody().empty()) return;  // the check that follows reports it
    if (mlir::failed(Splitter().function(main))) signalPassFailure();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_split_complex_pass() { return std::make_unique<SplitComplex>(); }

}  // namespace tandem::compiler
