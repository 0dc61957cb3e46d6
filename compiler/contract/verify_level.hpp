// Whether a module is what its level promises: the operations that may be there, and the attributes
// `tandem.*` as attributes.def has them.
#pragma once

#include <memory>
#include <optional>

#include "compiler/contract/levels.hpp"
#include "mlir/Support/LLVM.h"

namespace mlir {
class Pass;
}

namespace tandem::compiler {

// An error at the first operation that breaks the promise. Without a level, as after single passes,
// it is the level that the operations look like, and what is between two levels is let pass.
mlir::LogicalResult verify_level(mlir::ModuleOp module, std::optional<Level> level);

// The same as a pass, at the end of a pipeline.
std::unique_ptr<mlir::Pass> make_verify_level_pass(Level level);

}  // namespace tandem::compiler
