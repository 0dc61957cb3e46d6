// The text of a kernel as part of a program.
#pragma once

#include <string>

#include "llvm/ADT/StringRef.h"

namespace tandem::compiler {

// The lines with the prefix before the name of every virtual register (%x) and of every label that
// they define, so that they clash with no other names of the program. `%x.lo` keeps its part.
std::string renamed(llvm::StringRef text, const std::string& prefix);

}  // namespace tandem::compiler
