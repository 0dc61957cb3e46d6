#include "compiler/contract/hbm_room.hpp"

#include "llvm/Support/MathExtras.h"

namespace tandem::compiler {

std::uint64_t bytes_of(llvm::ArrayRef<std::int64_t> shape, std::uint64_t element_bytes) {
  std::uint64_t bytes = element_bytes;
  for (const std::int64_t extent : shape) {
    bytes = llvm::SaturatingMultiply<std::uint64_t>(bytes, extent);
  }
  return bytes;
}

void HbmRoom::add(std::uint64_t own, mlir::Location loc) {
  bytes = llvm::SaturatingAdd(bytes, own);
  look_at(own, loc);
}

void HbmRoom::look_at(std::uint64_t own, mlir::Location loc) {
  if (own <= largest) return;
  largest = own;
  line = loc;
}

}  // namespace tandem::compiler
