// Copies of scattered words between HBM and anywhere by way of VMEM: whole rows are loaded, lanes
// change places in registers (compiler/moves/plan.hpp), and whole rows are stored.
#pragma once

#include "compiler/moves/plan.hpp"

namespace tandem::compiler::moves {

// One side of the box in a buffer of its own in VMEM. Some dimensions are within a row: they keep
// their strides. A row of the source also holds the words in the gaps; a row of the target, which
// is written as a whole, holds only words of the box. The other dimensions step over whole rows.
struct Side {
  bool staged = false;
  llvm::SmallVector<bool> in_row;           // of each dimension
  std::int64_t span = 1;                    // words of a row
  std::int64_t first = 0;                   // word of a row at which the first element is
  std::int64_t words = 0;                   // of the buffer
  llvm::SmallVector<std::int64_t> strides;  // of each dimension
};

struct Staging {
  llvm::SmallVector<std::int64_t> block;  // of each dimension
  Side source;
  Side target;
  bool at_once = false;  // each block has buffers of its own: some come and go while one is moved
  std::int64_t cycles = 0;
};

// One side of a copy, outside.
struct Outside {
  bool in_vmem = false;
  std::int64_t lane = -1;  // of the first word; -1: unknown
};

// The cheapest plan through VMEM with at most `room` words. Nothing where the copy engine alone is
// about as fast.
std::optional<Staging> staging_of(llvm::ArrayRef<Dimension> dimensions, const Outside& source,
                                  const Outside& target, std::int64_t room,
                                  const Parameters& machine);

// The side for a block of these sizes.
Side side_of(llvm::ArrayRef<Dimension> dimensions, llvm::ArrayRef<std::int64_t> block,
             const Side& like, bool is_target, std::int64_t lanes);

}  // namespace tandem::compiler::moves
