// Runs a program at each of its levels with the same numbers, and says where results change.
#pragma once

#include <string>

#include "compiler/contract/choices.hpp"
#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tandem::compiler {

// `read` makes the module of the input anew. After each level up to `buffers`, and with
// `each_pass` after each pass, the program runs on this processor; where its results differ from
// those before, the passes of that level are tried one by one, and the first one that changes them
// is named. `choices` may be null. The text tells all; failure: they differ, or a level does not
// run.
mlir::LogicalResult check_levels(const Parameters& machine, const Choices* choices, bool each_pass,
                                 llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> read,
                                 llvm::raw_ostream& text);

}  // namespace tandem::compiler
