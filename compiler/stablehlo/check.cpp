// Refuses unsupported input before anything else happens: by name, at its line.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/stablehlo/lines.hpp"
#include "llvm/ADT/StringMap.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

bool has_element(mlir::Type element) {
  return element.isF32() || element.isBF16() || element.isF16() || element.isInteger(1) ||
         element.isInteger(8) || element.isInteger(16) || element.isInteger(32);
}

// Empty when values of the type can be compiled.
std::string complaint(mlir::Type type) {
  const auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!tensor) {
    stream << "values of type " << type;
  } else if (!tensor.hasStaticShape()) {
    stream << "tensors of dynamic shape, " << type;
  } else if (!has_element(tensor.getElementType())) {
    stream << "elements of type " << tensor.getElementType();
  }
  return text;
}

mlir::LogicalResult check_types(mlir::Operation* op) {
  for (const mlir::Type type : op->getResultTypes()) {
    if (const std::string text = complaint(type); !text.empty()) {
      return op->emitError("unimplemented: ") << text << " (of " << op->getName() << ")";
    }
  }
  for (mlir::Region& region : op->getRegions()) {
    for (mlir::Block& block : region) {
      for (const mlir::BlockArgument argument : block.getArguments()) {
        if (const std::string text = complaint(argument.getType()); !text.empty()) {
          return mlir::emitError(line_of(argument), "unimplemented: ")
                 << text << " (of argument " << argument.getArgNumber() << ")";
        }
      }
    }
  }
  return mlir::success();
}

// Operations whose operands, from one on, have one element type.
std::optional<unsigned> first_alike(llvm::StringRef name) {
  static const llvm::StringMap<unsigned> table{
      {"add", 0},
      {"subtract", 0},
      {"multiply", 0},
      {"divide", 0},
      {"remainder", 0},
      {"power", 0},
      {"maximum", 0},
      {"minimum", 0},
      {"atan2", 0},
      {"and", 0},
      {"or", 0},
      {"xor", 0},
      {"shift_left", 0},
      {"shift_right_logical", 0},
      {"shift_right_arithmetic", 0},
      {"compare", 0},
      {"clamp", 0},
      {"concatenate", 0},
      {"pad", 0},
      {"select", 1},
  };
  name.consume_front("stablehlo.");
  const auto found = table.find(name);
  if (found == table.end()) return std::nullopt;
  return found->second;
}

mlir::LogicalResult check_alike(mlir::Operation* op) {
  const auto first = first_alike(op->getName().getStringRef());
  if (!first || *first >= op->getNumOperands()) return mlir::success();
  const mlir::Type type = op->getOperand(*first).getType();
  for (const mlir::Type other : llvm::drop_begin(op->getOperandTypes(), *first + 1)) {
    if (mlir::getElementTypeOrSelf(other) == mlir::getElementTypeOrSelf(type)) continue;
    return op->emitError() << op->getName() << " with operands of two types, " << type << " and "
                           << other;
  }
  return mlir::success();
}

// Operations that no program can have here. They come first: their operands may have types that
// nothing else does.
mlir::LogicalResult check_operation(mlir::Operation* op) {
  if (op->getName().getStringRef() != "stablehlo.rng") return mlir::success();
  return op->emitError("unimplemented: stablehlo.rng, random numbers without a key");
}

mlir::func::FuncOp main_function(mlir::ModuleOp module) {
  return module.lookupSymbol<mlir::func::FuncOp>("main");
}

struct Check : ModulePass<Check, PassName::check> {
  void run() {
    if (!main_function(getOperation())) {
      getOperation().emitError("there is no function @main");
      return signalPassFailure();
    }
    const auto named = getOperation().walk(
        [](mlir::Operation* op) { return mlir::WalkResult(check_operation(op)); });
    if (named.wasInterrupted()) return signalPassFailure();
    const auto walked = getOperation().walk<mlir::WalkOrder::PreOrder>([](mlir::Operation* op) {
      if (mlir::isa<mlir::ModuleOp>(op)) return mlir::WalkResult::advance();
      return mlir::failed(check_types(op)) || mlir::failed(check_alike(op))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::advance();
    });
    if (walked.wasInterrupted()) signalPassFailure();
  }
};

// A composite is a call of its decomposition, which defines its meaning.
struct ExpandComposites : ModulePass<ExpandComposites, PassName::expand_composites> {
  void run() {
    llvm::SmallVector<mlir::Operation*> composites;
    getOperation().walk([&](mlir::Operation* op) {
      if (op->getName().getStringRef() == "stablehlo.composite") composites.push_back(op);
    });
    for (mlir::Operation* op : composites) {
      if (mlir::failed(expand(op))) return signalPassFailure();
    }
  }

 private:
  static mlir::LogicalResult expand(mlir::Operation* op) {
    const mlir::Attribute attribute = op->getAttr("decomposition");
    llvm::StringRef name;
    if (const auto symbol = mlir::dyn_cast_or_null<mlir::FlatSymbolRefAttr>(attribute)) {
      name = symbol.getValue();
    } else if (const auto string = mlir::dyn_cast_or_null<mlir::StringAttr>(attribute)) {
      name = string.getValue();
    }
    if (name.empty()) return op->emitError("a composite without decomposition");
    mlir::OpBuilder builder(op);
    auto call = mlir::func::CallOp::create(builder, op->getLoc(), op->getResultTypes(), name,
                                           op->getOperands());
    op->replaceAllUsesWith(call);
    op->erase();
    return mlir::success();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_check_pass() { return std::make_unique<Check>(); }
std::unique_ptr<mlir::Pass> make_expand_composites_pass() {
  return std::make_unique<ExpandComposites>();
}

}  // namespace tandem::compiler
