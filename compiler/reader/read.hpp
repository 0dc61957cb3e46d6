// Input of any kind to a module at the `stablehlo` level.
#pragma once

#include <cstddef>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tandem::compiler {

// Reads an artifact (MLIR bytecode) or MLIR text of any level. Errors are diagnostics of the
// context; null when there are any. They show `name`.
mlir::OwningOpRef<mlir::ModuleOp> read_module(mlir::MLIRContext& context, llvm::StringRef bytes,
                                              llvm::StringRef name);

// Processor time in seconds that reading an input of this size may take. A damaged file of some
// bytes can keep MLIR's reader for hours.
constexpr unsigned reading_seconds(std::size_t bytes) {
  constexpr unsigned some = 10;
  constexpr std::size_t bytes_a_second = std::size_t{1} << 20U;
  return some + static_cast<unsigned>(bytes / bytes_a_second);
}

// The line that is said of an input that takes longer.
std::string unreadable(const std::string& name, std::size_t bytes, unsigned seconds);

// vhlo.* and sdy.* operations to stablehlo.*, func.*; attributes to the normal form that
// docs/compiler.md lists. Does nothing to other modules.
mlir::LogicalResult normalise(mlir::ModuleOp module);

// Part of it: replaces collectives of a device that is alone, or alone in its group.
void resolve_alone(mlir::ModuleOp module);

}  // namespace tandem::compiler
