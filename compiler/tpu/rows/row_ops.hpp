// Operations in the row layout (tiled/rows.cpp) as their lowering sees them: the positions of their
// operands, and which of them are executed together.
#pragma once

#include "compiler/tpu/memory.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler::rows {

using mlir::Value;

enum class Kind : std::uint8_t { row, column, full };

// The position of an operand; equal positions hold the same element at the same row and column.
struct Spot {
  VmemRow row;
  std::int64_t lane = 0;   // of that row, where the operand begins
  std::int64_t pitch = 0;  // in rows of VMEM
  Kind kind = Kind::full;

  bool operator==(const Spot&) const = default;
};

struct RowOperand {
  Spot spot;
  std::int64_t extent = 0;  // rows of VMEM from first to last
  mlir::memref::AllocOp root;
  bool used = true;
  bool is_output = false;
};

struct RowOp {
  mlir::linalg::LinalgOp op;
  llvm::SmallVector<RowOperand> operands;  // inputs, then outputs
  unsigned inputs = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool sums = false;
  bool scans = false;     // with an attribute, from one chunk of columns to the next
  bool from_end = false;  // and these in reverse order
  unsigned phase = 0;

  [[nodiscard]] llvm::ArrayRef<RowOperand> outputs() const {
    return llvm::ArrayRef(operands).drop_front(inputs);
  }
};

// The sum along the lanes.
struct Combiner {
  llvm::StringRef vector;  // of two vectors
  llvm::StringRef lanes;   // along the lanes
  std::int64_t identity = 0;
};
// For the operation that adds to the sum: the last one of the body.
Combiner combiner_of(mlir::Operation* op);

mlir::FailureOr<RowOp> describe(mlir::OpBuilder& builder, Memory& memory, std::int64_t lanes,
                                mlir::linalg::LinalgOp op);
// Whether two consecutive operations may be executed group of rows by group of rows; `meet`:
// whether they touch the same elements, one of them writing.
bool go_together(const RowOp& before, const RowOp& after, bool& meet);
// Whether they may have words of VMEM in common.
bool may_overlap(const RowOperand& a, const RowOperand& b);
bool reads_sum_of(const RowOp& before, const RowOp& after);

}  // namespace tandem::compiler::rows
