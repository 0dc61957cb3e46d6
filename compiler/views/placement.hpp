// Placement of buffers: an address for each that has none yet.
//
// Buffers whose lifetimes (lives.hpp) do not overlap may share memory: each takes the lowest free
// place, in VMEM those with the longest lifetimes first, so that permanent buffers are together and
// tiles use the memory after them.
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
  std::int64_t words = 0;  // the maximum in use
};

Placement place_in_vmem(mlir::func::FuncOp function, const Parameters& machine);
// The same, but what the function copies to HBM, outside of loops and branches, stays to its end:
// an operation that took its place would wait for the copy.
Placement place_in_vmem_apart(mlir::func::FuncOp function, const Parameters& machine);
Placement place_in_hbm(mlir::func::FuncOp function);

}  // namespace tandem::compiler
