// The layout of a buffer that lives in VMEM: every row of the last dimension begins at a row of
// VMEM and is an odd number of them long, so that eight rows in a column lie in eight banks. A
// buffer of one row is dense; dimensions of size one at the end do not count.
#pragma once

#include <algorithm>

#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

mlir::MemRefType pitched_type(mlir::MemRefType type, std::int64_t lanes);
// The same in words, without what rounding up to whole vectors adds.
std::int64_t pitched_words(mlir::MemRefType type, std::int64_t lanes);
// In the layout that is chosen for it, pitched or dense.
std::int64_t vmem_words_of(mlir::MemRefType type, std::int64_t lanes);
// Whether rows would be nearly empty.
bool wastes_pitched(mlir::MemRefType type, std::int64_t lanes);

// How much of VMEM buffers may live in; the rest is for tiles of those that do not.
inline std::int64_t resident_words(const Parameters& machine) {
  constexpr std::int64_t enough = 512 * 1024;  // for tiles
  const auto words = std::int64_t{machine.vmem_words()};
  return std::max(words / 4 * 3, words - enough);
}

// The same type in the memory space of VMEM.
mlir::MemRefType in_vmem(mlir::MemRefType type);

}  // namespace tandem::compiler
