// The levels of the compiler; pipelines/ leads from one to the next.
//
//   stablehlo   as read and checked, one function
//   tensor      linalg on tensors, arith, math, scf, tensor
//   tiled       loops over tiles, buffers in HBM and in VMEM
//   buffers     the same with an address for every buffer
//   tpu         machine instructions on 8 x L registers, scalar control in scf and arith
//   asm         linear assembly
//   vliw        bundles: the program as assembly without linear blocks
//   elf         the program
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"

namespace mlir {
class ModuleOp;
}

namespace tandem::compiler {

enum class Level : std::uint8_t { stablehlo, tensor, tiled, buffers, tpu, assembly, vliw, elf };

std::optional<Level> find_level(llvm::StringRef name);
llvm::StringRef level_name(Level level);
// The level of a module, by the attribute `tandem.level` that each stage leaves, or by its
// contents.
Level level_of(mlir::ModuleOp module);

// Bytes of HBM within reach of compiled programs: signed scalars of 32 bits count the words.
inline constexpr std::uint64_t compiled_reach = std::uint64_t{1} << 33U;

// Space for messages of a program to its host, unless the user asks for more.
inline constexpr std::uint64_t default_log_bytes = std::uint64_t{16} << 20U;

}  // namespace tandem::compiler
