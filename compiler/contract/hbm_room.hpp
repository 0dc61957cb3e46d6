// How much of HBM tensors take, and where the largest is made.
#pragma once

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Location.h"

namespace tandem::compiler {

// As much as 64 bits hold where it is more.
std::uint64_t bytes_of(llvm::ArrayRef<std::int64_t> shape, std::uint64_t element_bytes);

struct HbmRoom {
  std::uint64_t bytes = 0;
  std::uint64_t largest = 0;
  mlir::Location line;  // of the largest

  void add(std::uint64_t own, mlir::Location loc);
  // One whose bytes are counted otherwise.
  void look_at(std::uint64_t own, mlir::Location loc);
};

}  // namespace tandem::compiler
