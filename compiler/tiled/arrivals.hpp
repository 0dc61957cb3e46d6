// In which parts the operands of products had better come to VMEM: what needs a word when, and how
// long all of it takes.
//
// The unit goes through an operand in an order that is known: tile of columns by tile of columns,
// in each chunk by chunk of the depth, and for each set of weights group by group of rows. A copy
// may be cut by rows, by chunks of columns, or by both. For each way to cut the copies, the parts
// come in the order in which the unit needs them, one after the other, and the unit waits for each
// where it loads from it.
#pragma once

#include "isa/parameters.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// A copy to VMEM as one of a matrix whose rows begin at rows of VMEM. In words.
struct Arrival {
  mlir::memref::CopyOp copy;
  mlir::Value buffer;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t source_stride = 0;  // from row to row
  std::int64_t target_stride = 0;
};

// A range of such a matrix: whole groups of eight rows and whole rows of VMEM, but at its end.
struct ArrivalPart {
  std::size_t arrival = 0;  // which of them
  std::int64_t row = 0;
  std::int64_t rows = 0;
  std::int64_t column = 0;
  std::int64_t columns = 0;
};

struct ArrivalPlan {
  bool chunks_first = false;             // all tiles of columns with a chunk, then the next chunk
  llvm::SmallVector<ArrivalPart> parts;  // in the order in which they had better come
  std::int64_t gain = 0;  // in cycles, over copies as a whole; 0 where that is not worth the text
};

// Nothing for copies of other kinds.
std::optional<Arrival> arrival_of(mlir::memref::CopyOp copy, const Parameters& machine);

// `contractions` follow each other, the first of which one or two copies are before.
ArrivalPlan plan_arrivals(llvm::ArrayRef<mlir::linalg::LinalgOp> contractions,
                          llvm::ArrayRef<Arrival> arrivals, std::int64_t most_parts,
                          const Parameters& machine);

}  // namespace tandem::compiler
