// A program of the levels `tensor`, `tiled` or `buffers` as plain MLIR that a processor can run.
//
// Independent of the passes that lead to `tpu`: MLIR's own lowering says what the program means.
// What upstream's dialects do not say is made explicit here: operations that start from zeros or
// from an identity, arguments whose memory is read as another type, memories.
#pragma once

#include <string>

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// How the arguments of the native function are made of those of the program.
struct NativeForm {
  std::string problem;  // why there is none; "" otherwise
  // Which argument of the program's `main` each one of the native `main` has the memory of.
  llvm::SmallVector<unsigned> arguments;
  // Where buffers have addresses: two more arguments, the bytes of VMEM and of the temporaries in
  // HBM.
  bool has_memories = false;
  std::int64_t vmem_bytes = 0;
  std::int64_t hbm_bytes = 0;
};

// Changes the module, which is a copy. Its `main` has static memrefs of the default memory only.
NativeForm to_native_form(mlir::ModuleOp module);

// Bytes that an argument of this type takes: rows of packed memory end at a word.
std::int64_t bytes_of(mlir::MemRefType type);

}  // namespace tandem::compiler
