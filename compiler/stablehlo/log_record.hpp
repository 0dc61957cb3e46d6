// One record of the log: the translation of a call of `custom_call @tandem_debug`.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tandem::compiler {

// The used length of the log, in words, and the number of records that did not fit: s32, rank 0.
struct LogState {
  mlir::Value used;
  mlir::Value lost;
};

// The log of a program: as large as all of its records where none is in a loop, at most the
// requested size.
struct LogPlan {
  std::int64_t capacity = 0;  // words, with those that hold its used length
  std::int64_t behind = 0;    // for records that do not fit
  bool always_fits = false;
  [[nodiscard]] std::int64_t words() const { return capacity + behind; }
};

bool is_log_call(mlir::Operation* op);
LogPlan plan_log(mlir::func::FuncOp function, std::int64_t most_words);

// The state of an empty log.
LogState begin_log(mlir::OpBuilder& builder, mlir::Location loc);
// Replaces the call by operations that write its record; returns the state after them. An error
// where the call has results, which the program cannot use.
mlir::FailureOr<LogState> append_record(mlir::Operation* call, LogState state, const LogPlan& plan);

}  // namespace tandem::compiler
