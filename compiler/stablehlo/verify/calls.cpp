// The inliner copies a function for each of its calls: 24 functions that call the next one twice
// are 16 million copies of the last. The number of operations is computed beforehand, from each
// function's own ones and its calls.
#include "compiler/stablehlo/verify/calls.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem::compiler::verify {
namespace {

using mlir::func::CallOp;
using mlir::func::FuncOp;

// Far more than compiles within the limits of time and memory.
constexpr std::uint64_t most_operations = std::uint64_t{1} << 18U;
constexpr unsigned deepest_calls = 256;

class Calls {
 public:
  explicit Calls(mlir::ModuleOp module) {
    for (auto function : module.getOps<FuncOp>()) {
      functions_[function.getSymNameAttr()] = function;
    }
  }

  mlir::LogicalResult check(FuncOp function, unsigned depth = 0) {
    if (depth > deepest_calls) {
      return function.emitError("too deep: more than ")
             << deepest_calls << " calls of functions inside of each other";
    }
    open_[function] = true;
    std::uint64_t count = 0;
    CallOp largest;
    const auto walked = function.walk([&](mlir::Operation* op) {
      ++count;
      auto call = mlir::dyn_cast<CallOp>(op);
      const FuncOp callee = call ? functions_.lookup(call.getCalleeAttr().getAttr()) : FuncOp();
      if (!callee || callee == function) {
        return callee ? recursion(call) : mlir::WalkResult::advance();
      }
      if (open_.lookup(callee)) return recursion(call);
      if (!sizes_.contains(callee) && mlir::failed(check(callee, depth + 1))) {
        return mlir::WalkResult::interrupt();
      }
      count = llvm::SaturatingAdd(count, sizes_.lookup(callee));
      if (!largest && count > most_operations) largest = call;
      return mlir::WalkResult::advance();
    });
    if (walked.wasInterrupted()) return mlir::failure();
    open_[function] = false;
    sizes_[function] = count;
    if (!largest) return mlir::success();
    return largest.emitError(
               "too large to compile: with its functions where they are called the "
               "program has more than ")
           << most_operations
           << " operations; put what repeats itself into a loop (lax.scan, fori_loop)";
  }

 private:
  static mlir::WalkResult recursion(CallOp call) {
    call.emitError("unimplemented: a function that calls itself, @") << call.getCallee();
    return mlir::WalkResult::interrupt();
  }

  llvm::DenseMap<mlir::StringAttr, FuncOp> functions_;
  llvm::DenseMap<mlir::Operation*, bool> open_;
  llvm::DenseMap<mlir::Operation*, std::uint64_t> sizes_;
};

}  // namespace

mlir::LogicalResult verify_calls(mlir::ModuleOp module) {
  auto main = module.lookupSymbol<FuncOp>("main");
  return main && !main.isExternal() ? Calls(module).check(main) : mlir::success();
}

}  // namespace tandem::compiler::verify
