#include "compiler/contract/levels.hpp"

#include <array>

#include "compiler/contract/attributes.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {
namespace {

constexpr std::array<llvm::StringLiteral, 8> names{"stablehlo", "tensor", "tiled", "buffers",
                                                   "tpu",       "asm",    "vliw",  "elf"};

}  // namespace

std::optional<Level> find_level(llvm::StringRef name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Level>(i);
  }
  return std::nullopt;
}

llvm::StringRef level_name(Level level) { return names[static_cast<std::size_t>(level)]; }

Level level_of(mlir::ModuleOp module) {
  const auto given = attribute::level.get(module);
  return given ? find_level(given.getValue()).value_or(Level::stablehlo) : Level::stablehlo;
}

}  // namespace tandem::compiler
