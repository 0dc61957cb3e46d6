// The text of a kernel as part of a program.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"

namespace tandem::compiler {

// The lines with the prefix before the name of every virtual register (%x) and of every label that
// they define, so that they meet no other names of the program. `%x.lo` keeps its part.
std::string renamed(llvm::StringRef text, const std::string& prefix);

// The lines with `.touch buffer, buffer` before each operation that touches VMEM: the memory that
// the kernel has been given (isa/source/buffer_table.hpp).
std::string with_touches(llvm::StringRef text, std::uint32_t buffer);

}  // namespace tandem::compiler
