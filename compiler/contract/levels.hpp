// The levels of the compiler and the passes between them.
//
//   stablehlo   as read and checked, one function
//   tensor      linalg on tensors, arith, math, scf, tensor
//   tiled       loops over tiles, buffers in the memory spaces "hbm" and "vmem"
//   buffers     the same with an address for every buffer
//   tpu         machine instructions on 8 x L registers, scalar control in scf and arith
//   asm         linear assembly
//   vliw        bundles: the program as assembly without linear blocks
//   elf         the program
#pragma once

#include <memory>
#include <optional>

#include "compiler/contract/choices.hpp"
#include "isa/parameters.hpp"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
class Pass;
}  // namespace mlir

namespace tandem::compiler {

enum class Level : std::uint8_t { stablehlo, tensor, tiled, buffers, tpu, assembly, vliw, elf };

std::optional<Level> find_level(llvm::StringRef name);
llvm::StringRef level_name(Level level);
// The level that a module is at, by the attribute `tandem.level` that each stage leaves, or by
// what it contains.
Level level_of(mlir::ModuleOp module);

// Bytes of HBM that compiled programs reach: signed scalars of 32 bits count the words.
inline constexpr std::uint64_t compiled_reach = std::uint64_t{1} << 33U;

struct PassOptions {
  const Choices* choices = nullptr;  // decisions are noted, and taken from here where it has them
  bool regions = false;              // numbered (stats/regions.hpp)
  std::uint64_t room = compiled_reach;  // bytes of HBM for arguments and results
};

// Adds the passes that lead from one level to another, both at most `tpu`.
void add_passes(mlir::OpPassManager& manager, Level from, Level to, const Parameters& machine,
                const PassOptions& options = {});

}  // namespace tandem::compiler
