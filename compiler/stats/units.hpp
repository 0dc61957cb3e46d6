// What one instruction at the level `tpu` asks of the machine.
#pragma once

#include "compiler/stats/cost.hpp"
#include "mlir/IR/Operation.h"

namespace tandem::compiler {

struct UnitTime {
  Bound unit = Bound::scalar;
  double busy = 0;     // cycles of the unit; a half where there are two of a kind
  double latency = 1;  // until a result can be read
};

// Scalar arithmetic and control in arith and scf count as what they become.
UnitTime unit_time(mlir::Operation* op, const Parameters& machine);

// An integer attribute of an operation, or `otherwise` where it has none of the name.
std::int64_t number_of(mlir::Operation* op, llvm::StringRef name, std::int64_t otherwise);

// Whether the matrix unit does them one after the other in order: pushes, and multiplies.
bool is_push(mlir::Operation* op);
bool is_multiply(mlir::Operation* op);
bool is_result_read(mlir::Operation* op);  // of an accumulator

// What a copy moves, and for how long it keeps the memory.
struct CopyTime {
  double hbm_in = 0;  // bytes
  double hbm_out = 0;
  double cycles = 0;
  unsigned flag = 0;
};
CopyTime copy_time(mlir::Operation* copy, const Parameters& machine);

}  // namespace tandem::compiler
