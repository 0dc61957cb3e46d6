// In which parts the operands of products should arrive in VMEM: when each word is needed, and how
// long everything takes.
//
// The unit goes through an operand in a known order: tile of columns by tile of columns, in each
// chunk by chunk of the depth, and for each set of weights group by group of rows. A copy may be
// cut by rows, by chunks of columns, or by both. For each way to cut the copies, the parts arrive
// one after the other in the order in which the unit needs them, and the unit waits for each part
// at its first load.
#pragma once

#include "isa/parameters.hpp"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

// A copy to VMEM as a copy of a matrix whose rows begin at rows of VMEM. In words.
struct Arrival {
  mlir::memref::CopyOp copy;
  mlir::Value buffer;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t source_stride = 0;  // from row to row
  std::int64_t target_stride = 0;
};

// A range of such a matrix: whole groups of eight rows and whole rows of VMEM, except at its end.
struct ArrivalPart {
  std::size_t arrival = 0;  // which of them
  std::int64_t row = 0;
  std::int64_t rows = 0;
  std::int64_t column = 0;
  std::int64_t columns = 0;
};

struct ArrivalPlan {
  bool chunks_first = false;             // all tiles of columns with a chunk, then the next chunk
  llvm::SmallVector<ArrivalPart> parts;  // in the order in which they should arrive
  std::int64_t gain = 0;  // in cycles, compared with whole copies; 0 where it is not worth the text
};

// Nothing for other kinds of copies.
std::optional<Arrival> arrival_of(mlir::memref::CopyOp copy, const Parameters& machine);

// `contractions` are consecutive, with one or two copies before the first.
ArrivalPlan plan_arrivals(llvm::ArrayRef<mlir::linalg::LinalgOp> contractions,
                          llvm::ArrayRef<Arrival> arrivals, std::int64_t most_parts,
                          const Parameters& machine);

}  // namespace tandem::compiler
