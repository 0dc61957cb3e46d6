// The use of the machine by one instruction at the level `tpu`.
#pragma once

#include "compiler/stats/cost.hpp"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

struct UnitTime {
  Bound unit = Bound::scalar;
  double busy = 0;     // cycles of the unit; half a cycle where there are two of a kind
  double latency = 1;  // until a result can be read
};

// Scalar arithmetic and control in arith and scf count as their instructions.
UnitTime unit_time(mlir::Operation* op, const Parameters& machine);

// An integer attribute of an operation, or `otherwise` if absent.
std::int64_t number_of(mlir::Operation* op, llvm::StringRef name, std::int64_t otherwise);

// Whether the matrix unit executes them in order, one after the other: pushes, and multiplies.
bool is_push(mlir::Operation* op);
bool is_multiply(mlir::Operation* op);
bool is_result_read(mlir::Operation* op);  // of an accumulator

// The bytes of a copy, and the time for which it occupies the memory.
struct CopyTime {
  double hbm_in = 0;  // bytes
  double hbm_out = 0;
  double cycles = 0;
  unsigned flag = 0;
};
CopyTime copy_time(mlir::Operation* copy, const Parameters& machine);

}  // namespace tandem::compiler
