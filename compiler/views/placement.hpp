// Where buffers go: an address for each that has none yet.
//
// Buffers whose lives (lives.hpp) do not meet may share memory: each takes the lowest place that is
// free, in VMEM those with the longest lives first, so that what lives all the time lies together
// and tiles come and go behind it.
#pragma once

#include "compiler/views/lives.hpp"
#include "isa/parameters.hpp"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {

struct Place {
  mlir::memref::AllocOp alloc;
  Life life;
  std::int64_t words = 0;
  std::int64_t address = 0;  // in words of its memory
  bool is_fixed = false;     // chosen with the layout (tiled/place_in_vmem.cpp)
};

struct Placement {
  llvm::SmallVector<Place> places;
  std::int64_t words = 0;  // that are in use at most
};

Placement place_in_vmem(mlir::func::FuncOp function, const Parameters& machine);
Placement place_in_hbm(mlir::func::FuncOp function);

}  // namespace tandem::compiler
