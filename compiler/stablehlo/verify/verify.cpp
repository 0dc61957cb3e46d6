#include "compiler/stablehlo/verify/verify.hpp"

#include <fmt/format.h>

#include "compiler/stablehlo/verify/calls.hpp"
#include "compiler/stablehlo/verify/donations.hpp"
#include "compiler/stablehlo/verify/facts.hpp"
#include "compiler/stablehlo/verify/order.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;

// More than all memory that a program reaches, in bytes: no machine addresses them.
constexpr verify::Wide most_elements = verify::Wide{1} << 33;
// As many as NumPy has.
constexpr std::int64_t most_dimensions = 64;
// Of nested regions: the code that follows is recursive.
constexpr unsigned deepest = 256;

mlir::LogicalResult check_count(mlir::Type type, mlir::Location loc) {
  const auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape()) return mlir::success();
  if (tensor.getRank() > most_dimensions) {
    return mlir::emitError(loc, "unimplemented: a tensor of ") << tensor.getRank() << " dimensions";
  }
  verify::Wide count = 1;
  for (const std::int64_t extent : tensor.getShape()) {
    if (extent == 0) return mlir::success();
    count = std::min(count, most_elements + 1) * extent;
  }
  if (count <= most_elements) return mlir::success();
  return mlir::emitError(loc, "no room: a tensor of more than 2^33 elements, ") << type;
}

// For arguments and results of @main, the number of missing bytes is reported (check_room.cpp).
bool is_bound(mlir::Value value) {
  const auto is_main = [](Operation* op) {
    auto function = mlir::dyn_cast_or_null<mlir::func::FuncOp>(op);
    return function && function.getName() == "main";
  };
  if (mlir::isa<mlir::BlockArgument>(value) && is_main(value.getParentBlock()->getParentOp())) {
    return true;
  }
  return llvm::any_of(value.getUsers(), [&](Operation* user) {
    return mlir::isa<mlir::func::ReturnOp>(user) && is_main(user->getParentOp());
  });
}

mlir::LogicalResult check_counts(Operation* op) {
  for (const mlir::Value result : op->getResults()) {
    if (is_bound(result)) continue;
    if (mlir::failed(check_count(result.getType(), op->getLoc()))) return mlir::failure();
  }
  for (mlir::Region& region : op->getRegions()) {
    for (mlir::Block& block : region) {
      for (const mlir::BlockArgument argument : block.getArguments()) {
        if (is_bound(argument)) continue;
        if (mlir::failed(check_count(argument.getType(), argument.getLoc())))
          return mlir::failure();
      }
    }
  }
  return mlir::success();
}

// Dynamic shapes, tokens, quantized elements: errors in these are reported by name, later.
bool is_plain(Operation* op) {
  const auto plain = [](mlir::Type type) {
    const auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  return llvm::all_of(op->getOperandTypes(), plain) && llvm::all_of(op->getResultTypes(), plain);
}

mlir::LogicalResult check_function(mlir::func::FuncOp function) {
  if (function.isExternal()) return mlir::success();
  if (!function.getBody().hasOneBlock()) {
    return function.emitError("unimplemented: a function of several blocks, @")
           << function.getName();
  }
  if (mlir::isa<mlir::func::ReturnOp>(function.getBody().front().back())) {
    return function.getName() == "main" ? verify::verify_donations(function) : mlir::success();
  }
  return function.getBody().front().back().emitError("a function ends in func.return");
}

mlir::LogicalResult check_operation(Operation* op) {
  if (mlir::failed(check_counts(op)) || mlir::failed(verify::verify_order(op))) {
    return mlir::failure();
  }
  if (mlir::isa<mlir::ModuleOp>(op) && op->getParentOp() != nullptr) {
    return op->emitError("unimplemented: a module inside of a module");
  }
  if (auto function = mlir::dyn_cast<mlir::func::FuncOp>(op)) return check_function(function);
  llvm::StringRef name = op->getName().getStringRef();
  if (!name.consume_front("stablehlo.")) {
    const llvm::StringRef dialect = op->getName().getDialectNamespace();
    if (dialect == "builtin" || dialect == "func" || dialect == "arith") return mlir::success();
    return op->emitError("unimplemented: ") << op->getName() << " in a StableHLO program";
  }
  verify::Facts facts(op);
  // Regions first: a loop's operands may be of any type.
  const bool is_right =
      verify::verify_bodies(facts, name) &&
      (!is_plain(op) ||
       (verify::verify_elementwise(facts, name) && verify::verify_moves(facts, name) &&
        verify::verify_windows(facts, name) && verify::verify_products(facts, name) &&
        verify::verify_fourier(facts, name) && verify::verify_indexing(facts, name) &&
        verify::verify_collectives(facts, name)));
  return mlir::success(is_right && !facts.failed());
}

}  // namespace

mlir::LogicalResult verify_depth(mlir::ModuleOp module) {
  llvm::SmallVector<std::pair<Operation*, unsigned>> left{{module, 0}};
  while (!left.empty()) {
    const auto [op, depth] = left.pop_back_val();
    if (depth > deepest) {
      return op->emitError("too deep: more than ") << deepest << " operations inside of each other";
    }
    for (mlir::Region& region : op->getRegions()) {
      for (mlir::Operation& inner : region.getOps()) {
        if (inner.getNumRegions() != 0) left.emplace_back(&inner, depth + 1);
      }
    }
  }
  return mlir::success();
}

mlir::LogicalResult verify_stablehlo(mlir::ModuleOp module) {
  const auto walked = module.walk<mlir::WalkOrder::PreOrder>([](Operation* op) {
    return mlir::failed(check_operation(op)) ? mlir::WalkResult::interrupt()
                                             : mlir::WalkResult::advance();
  });
  return walked.wasInterrupted() ? mlir::failure() : verify::verify_calls(module);
}

}  // namespace tandem::compiler
