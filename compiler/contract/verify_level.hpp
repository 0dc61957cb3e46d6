// Whether a module keeps the promise of its level: the operations allowed there, and the attributes
// `tandem.*` as in attributes.def.
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
// the level is inferred from the operations, and a module between two levels is accepted.
mlir::LogicalResult verify_level(mlir::ModuleOp module, std::optional<Level> level);

// The same as a pass, at the end of a pipeline.
std::unique_ptr<mlir::Pass> make_verify_level_pass(Level level);

}  // namespace tandem::compiler
