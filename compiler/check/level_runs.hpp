// One program with the same numbers at several levels: on this processor up to `buffers`, its
// binary on the golden model.
#pragma once

#include <string>
#include <vector>

#include "compiler/check/launch_tensors.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

struct LevelRun {
  std::string problem;  // why there is nothing to compare; "" otherwise
  std::vector<Bytes> memories;
  bool is_binary = false;
};

class LevelRuns {
 public:
  // Of a module from `tensor` to `buffers`, which stays as it is. The first one says what is drawn.
  LevelRun run(mlir::ModuleOp module);
  // The same with operands of products as the machine has them (round_operands.hpp), to compare
  // with a binary. `exact` where none is rounded, which is what run() says.
  [[nodiscard]] LevelRun run_rounded(mlir::ModuleOp module, const LevelRun& exact) const;
  // Of the bytes of an ELF file, by `tandem run` with these arguments. Precondition: run() has been
  // there.
  [[nodiscard]] LevelRun run_binary(const std::string& elf,
                                    const std::vector<std::string>& arguments) const;
  // The tensors of a run as .npy files; false where that cannot be.
  [[nodiscard]] bool save(const LevelRun& run, const std::string& folder) const;
  // "" where they agree.
  [[nodiscard]] std::string compare(const LevelRun& before, const LevelRun& now) const;

 private:
  // Changes the module.
  [[nodiscard]] LevelRun run_copy(mlir::ModuleOp copy) const;

  std::vector<LaunchTensor> tensors_;
  std::vector<Bytes> inputs_;
};

}  // namespace tandem::compiler
