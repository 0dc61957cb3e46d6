// Short loops of elementwise operations are written out.
//
// What a loop carries is in memory between two iterations, and an operation that reads a carried
// tensor is not fused with the one that made it. Where few iterations of elementwise operations
// follow each other, as in the five of a threefry generator, they become one chain in registers,
// and constants that the loop carries (the generator's amounts of rotation) become known.
//
// The loop counts from a constant, by one, to a constant, and nothing else ends it.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/contract/thresholds.hpp"
#include "compiler/stablehlo/counted_loop.hpp"
#include "compiler/stablehlo/dialect.hpp"
#include "compiler/stablehlo/maker.hpp"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tandem::compiler {
namespace {

using mlir::Operation;
using mlir::Value;

llvm::StringRef name_of(Operation* op) {
  llvm::StringRef name = op->getName().getStringRef();
  name.consume_front("stablehlo.");
  return name;
}

// Without arithmetic: they become part of operations that read their results.
bool only_shapes(Operation* op) {
  static const llvm::StringSet<> names{"constant", "broadcast_in_dim", "iota", "reshape", "slice",
                                       "return"};
  return names.contains(name_of(op));
}

// One element after the other, and cheap enough to be in one text several times.
bool is_elementwise(Operation* op) {
  static const llvm::StringSet<> names{"abs",
                                       "add",
                                       "and",
                                       "clamp",
                                       "compare",
                                       "convert",
                                       "maximum",
                                       "minimum",
                                       "multiply",
                                       "negate",
                                       "not",
                                       "or",
                                       "popcnt",
                                       "select",
                                       "shift_left",
                                       "subtract",
                                       "xor",
                                       "shift_right_arithmetic",
                                       "shift_right_logical"};
  return names.contains(name_of(op));
}

// Whether it counts by one, up from zero or more, and all iterations together are few enough
// operations.
bool is_short(Operation* loop, const CountedLoop& count) {
  std::int64_t operations = 0;
  for (Operation& op : loop->getRegion(1).front()) {
    if (only_shapes(&op)) continue;
    if (!is_elementwise(&op)) return false;
    ++operations;
  }
  const std::int64_t iterations = count.end - count.begin;
  return count.step == 1 && count.begin >= 0 && iterations > 0 &&
         !threshold::written_iterations(iterations) &&
         !threshold::written_operations(iterations * operations);
}

void write_out(Operation* loop, const CountedLoop& count) {
  mlir::OpBuilder builder(loop);
  mlir::Block& body = loop->getRegion(1).front();
  llvm::SmallVector<Value> state(loop->getOperands());
  for (std::int64_t turn = count.begin; turn < count.end; ++turn) {
    mlir::IRMapping map;
    map.map(body.getArguments(), state);
    for (Operation& op : llvm::make_range(body.begin(), std::prev(body.end()))) {
      builder.clone(op, map);
    }
    for (const auto [value, next] : llvm::zip(state, body.back().getOperands())) {
      value = map.lookupOrDefault(next);
    }
    // A known number, not a sum of ones.
    const mlir::RankedTensorType type = type_of(state[count.number]);
    const llvm::APInt number(type.getElementTypeBitWidth(), static_cast<std::uint64_t>(turn + 1));
    state[count.number] =
        Maker(loop->getLoc(), builder).constant(type, mlir::DenseElementsAttr::get(type, number));
  }
  loop->replaceAllUsesWith(state);
  loop->erase();
}

struct UnrollLoops : FunctionPass<UnrollLoops, PassName::unroll_loops> {
  void run() {
    llvm::SmallVector<Operation*> loops;
    getOperation().walk([&](Operation* op) {
      if (is_stablehlo(op, "while")) loops.push_back(op);
    });
    for (Operation* loop : loops) {
      const auto count = counted_loop(loop);
      if (count && is_short(loop, *count)) write_out(loop, *count);
    }
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_unroll_loops_pass() { return std::make_unique<UnrollLoops>(); }

}  // namespace tandem::compiler
