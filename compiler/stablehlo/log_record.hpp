// One record of the log: what a call of `custom_call @tandem_debug` becomes.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tandem::compiler {

// How far the log is used, in words, and how many records found no room: s32, rank 0.
struct LogState {
  mlir::Value used;
  mlir::Value lost;
};

// The log of a program: as large as all of its records where none is in a loop, at most as large
// as asked for.
struct LogPlan {
  std::int64_t capacity = 0;  // words, with those that say how far it is used
  std::int64_t behind = 0;    // for records that find no room
  bool always_fits = false;
  [[nodiscard]] std::int64_t words() const { return capacity + behind; }
};

bool is_log_call(mlir::Operation* op);
LogPlan plan_log(mlir::func::FuncOp function, std::int64_t most_words);

// The state of an empty log.
LogState begin_log(mlir::OpBuilder& builder, mlir::Location loc);
// Replaces the call by operations that write its record; the state behind them. An error where the
// call has results that the program cannot have.
mlir::FailureOr<LogState> append_record(mlir::Operation* call, LogState state, const LogPlan& plan);

}  // namespace tandem::compiler
