// A program of the levels `tensor`, `tiled` or `buffers` as plain MLIR that a processor can run.
//
// Independent of the passes that lead to `tpu`: MLIR's own lowering defines the meaning of the
// program. What upstream's dialects leave implicit is made explicit here: operations that start
// from zeros or from an identity, arguments whose memory is read as another type, memories.
#pragma once

#include <string>

#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

// How the arguments of the native function are derived from those of the program.
struct NativeForm {
  std::string problem;  // the reason for a failure; "" otherwise
  // The argument of the program's `main` whose memory each argument of the native `main` has.
  llvm::SmallVector<unsigned> arguments;
  // Set where buffers have addresses: two more arguments, the bytes of VMEM and of the temporaries
  // in HBM.
  bool has_memories = false;
  std::int64_t vmem_bytes = 0;
  std::int64_t hbm_bytes = 0;
};

// Changes the module, so pass a copy. Its `main` then has static memrefs in the default memory
// space only.
NativeForm to_native_form(mlir::ModuleOp module);

// The bytes of an argument of this type: rows of packed memory end at a word.
std::int64_t bytes_of(mlir::MemRefType type);

}  // namespace tandem::compiler
