// Messages of a program to its host: `custom_call @tandem_debug` of some tensors. Each call appends
// a record to the log, a tensor of words in HBM that the launch binds (isa/launch/log.hpp); nothing
// waits for the host.
//
// The used length of the log and the number of records that did not fit are two numbers that pass
// from call to call as a value, through loops and branches: so the order of calls is the program's,
// and none can be dropped. The writing itself is `custom_call @tandem_log`, which takes the place
// in the log and the words. A record that does not fit is written after the log's end, where
// nothing reads it.
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/stablehlo/dialect.hpp"
#include "compiler/stablehlo/log_record.hpp"
#include "isa/launch/log.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"

namespace tandem::compiler {
namespace {

using mlir::Block;
using mlir::Operation;
using mlir::Region;
using mlir::Value;

bool contains_call(Region& region) {
  return region
      .walk([](Operation* op) {
        return is_log_call(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

Operation* made_anew(mlir::OpBuilder& builder, Operation* op, mlir::ValueRange operands,
                     mlir::TypeRange types) {
  mlir::OperationState state(op->getLoc(), op->getName().getStringRef(), operands, types,
                             op->getAttrs());
  for (Region& region : op->getRegions()) state.addRegion()->takeBody(region);
  Operation* made = builder.create(state);
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    op->getResult(i).replaceAllUsesWith(made->getResult(i));
  }
  op->erase();
  return made;
}

void yield_too(Block& block, mlir::ValueRange values) {
  Operation* end = &block.back();
  end->insertOperands(end->getNumOperands(), values);
}

// A loop condition with calls is evaluated before the loop and at the end of each iteration, so its
// calls are made there; the loop itself tests the result.
void ask_in_body(Operation* loop) {
  mlir::OpBuilder builder(loop);
  Block& condition = loop->getRegion(0).front();
  Block& body = loop->getRegion(1).front();
  const auto asked = [&](mlir::ValueRange state) {
    mlir::IRMapping map;
    map.map(condition.getArguments(), state);
    // Terminators are unregistered operations like the others.
    for (Operation& op : llvm::make_range(condition.begin(), std::prev(condition.end()))) {
      builder.clone(op, map);
    }
    return map.lookupOrDefault(condition.back().getOperand(0));
  };
  llvm::SmallVector<Value> operands(loop->getOperands());
  operands.push_back(asked(operands));
  builder.setInsertionPoint(&body.back());
  yield_too(body, asked(llvm::SmallVector<Value>(body.back().getOperands())));
  const Value first = operands.back();
  body.addArgument(first.getType(), loop->getLoc());
  while (&condition.front() != &condition.back()) {
    condition.getOperations().remove(std::prev(condition.end(), 2))->destroy();
  }
  condition.back().setOperand(0, condition.addArgument(first.getType(), loop->getLoc()));
  llvm::SmallVector<mlir::Type> types(loop->getResultTypes());
  types.push_back(first.getType());
  builder.setInsertionPoint(loop);
  made_anew(builder, loop, operands, types);
}

class Threading {
 public:
  explicit Threading(const LogPlan& plan) : plan_(plan) {}

  // Processes a block from the state at its beginning; returns the state at its end.
  mlir::FailureOr<LogState> block(Block& block, LogState state) {
    for (Operation& op : llvm::make_early_inc_range(block)) {
      mlir::FailureOr<LogState> next = state;
      if (is_log_call(&op)) {
        next = append_record(&op, state, plan_);
      } else if (llvm::any_of(op.getRegions(), contains_call)) {
        next = inside(&op, state);
      }
      if (mlir::failed(next)) return mlir::failure();
      state = *next;
    }
    return state;
  }

 private:
  mlir::FailureOr<LogState> inside(Operation* op, LogState state) {
    if (is_stablehlo(op, "while")) return loop(op, state);
    if (is_stablehlo(op, "case") || is_stablehlo(op, "if")) return choice(op, state);
    return op->emitError("unimplemented: a callback in the computation of ") << op->getName();
  }

  mlir::FailureOr<LogState> loop(Operation* op, LogState state) {
    llvm::SmallVector<mlir::Type> types(op->getResultTypes());
    llvm::SmallVector<Value> operands(op->getOperands());
    for (const Value value : {state.used, state.lost}) {
      types.push_back(value.getType());
      operands.push_back(value);
    }
    for (Region& region : op->getRegions()) {
      Block& block = region.front();
      block.addArguments(mlir::TypeRange(types).take_back(2), {op->getLoc(), op->getLoc()});
    }
    Block& body = op->getRegion(1).front();
    const unsigned first = body.getNumArguments() - 2;
    const auto end = block(body, {body.getArgument(first), body.getArgument(first + 1)});
    if (mlir::failed(end)) return mlir::failure();
    yield_too(body, {end->used, end->lost});
    return replaced(op, operands, types);
  }

  mlir::FailureOr<LogState> choice(Operation* op, LogState state) {
    for (Region& region : op->getRegions()) {
      const auto end = block(region.front(), state);
      if (mlir::failed(end)) return mlir::failure();
      yield_too(region.front(), {end->used, end->lost});
    }
    llvm::SmallVector<mlir::Type> types(op->getResultTypes());
    types.append({state.used.getType(), state.lost.getType()});
    return replaced(op, op->getOperands(), types);
  }

  static LogState replaced(Operation* op, mlir::ValueRange operands, mlir::TypeRange types) {
    mlir::OpBuilder builder(op);
    Operation* made = made_anew(builder, op, operands, types);
    return {made->getResult(made->getNumResults() - 2), made->getResult(made->getNumResults() - 1)};
  }

  const LogPlan& plan_;
};

struct LogCalls : FunctionPass<LogCalls, PassName::log_calls> {
  explicit LogCalls(std::uint64_t most_bytes) : most(static_cast<std::int64_t>(most_bytes / 4)) {}

  void run() {
    mlir::func::FuncOp function = getOperation();
    if (!contains_call(function.getBody())) return;
    llvm::SmallVector<Operation*> asking;
    function.walk([&](Operation* op) {
      if (is_stablehlo(op, "while") && contains_call(op->getRegion(0))) asking.push_back(op);
    });
    for (Operation* loop : asking) ask_in_body(loop);
    const LogPlan plan = plan_log(function, most);
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(&function.getBody().front());
    if (mlir::failed(Threading(plan).block(function.getBody().front(),
                                           begin_log(builder, function.getLoc())))) {
      return signalPassFailure();
    }
    attribute::log_words.set(function, plan.words());
  }

  std::int64_t most;
};

}  // namespace

std::unique_ptr<mlir::Pass> make_log_calls_pass(std::uint64_t most_bytes) {
  return std::make_unique<LogCalls>(most_bytes);
}

}  // namespace tandem::compiler
