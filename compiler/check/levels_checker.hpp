// Runs a program at each of its levels with the same inputs, and reports where results change.
#pragma once

#include <string>

#include "compiler/contract/choices.hpp"
#include "isa/parameters.hpp"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tandem::compiler {

// The ELF file of a module at `buffers`; nothing after an error.
using MakeBinary = llvm::function_ref<std::optional<std::string>(mlir::ModuleOp)>;

// `read` parses the input again. After each level up to `buffers`, and with `each_pass` after each
// pass, the program runs on this processor; where its results differ from those before, the passes
// of that level are tried one by one, and the first one that changes them is named. The binary runs
// on the golden model, which looks for races, never-written data and ended lifetimes. `choices` may
// be null. The text is the full report; failure: results differ, or a level does not run.
mlir::LogicalResult check_levels(const Parameters& machine, const Choices* choices, bool each_pass,
                                 llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> read,
                                 MakeBinary binary, llvm::raw_ostream& text);

}  // namespace tandem::compiler
