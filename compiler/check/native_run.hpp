// Runs a native form (native_form.hpp) on this processor, compiled by MLIR's execution engine.
#pragma once

#include <string>
#include <vector>

#include "compiler/check/launch_tensors.hpp"
#include "compiler/check/native_form.hpp"

namespace tandem::compiler {

// Lowers the module to LLVM and runs its `main`. `arguments`: the memory of each argument of the
// program, whose results are in place afterwards. Returns an error, or "".
std::string run_native(mlir::ModuleOp module, const NativeForm& form,
                       std::vector<Bytes>& arguments);

}  // namespace tandem::compiler
