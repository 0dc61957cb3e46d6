// The layout of a buffer that is resident in VMEM: every row of the last dimension begins at a row
// of VMEM and is an odd number of them long, so that eight rows in a column are in eight banks. A
// buffer of one row is dense; dimensions of size one at the end do not count.
#pragma once

#include "compiler/contract/thresholds.hpp"
#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinTypes.h"

namespace tandem::compiler {

mlir::MemRefType pitched_type(mlir::MemRefType type, std::int64_t lanes);
// The same in words, without rounding up to whole vectors.
std::int64_t pitched_words(mlir::MemRefType type, std::int64_t lanes);
// In the layout chosen for it, pitched or dense.
std::int64_t vmem_words_of(mlir::MemRefType type, std::int64_t lanes);
// Whether rows would be nearly empty.
bool wastes_pitched(mlir::MemRefType type, std::int64_t lanes);

// The same type in the memory space of VMEM.
mlir::MemRefType in_vmem(mlir::MemRefType type);

}  // namespace tandem::compiler
