// One program with the same inputs at several levels: on this processor up to `buffers`, its binary
// on the golden model.
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
  // Runs a module from `tensor` to `buffers`, which stays unchanged. The first run determines which
  // inputs are drawn.
  LevelRun run(mlir::ModuleOp module);
  // The same with the operands of products rounded as by the machine (round_operands.hpp), for the
  // comparison with a binary. `exact` where none is rounded, which run() finds out.
  [[nodiscard]] LevelRun run_rounded(mlir::ModuleOp module, const LevelRun& exact) const;
  // Runs the bytes of an ELF file, by `tandem run` with these arguments. Precondition: run() has
  // been called.
  [[nodiscard]] LevelRun run_binary(const std::string& elf,
                                    const std::vector<std::string>& arguments) const;
  // The tensors of a run as .npy files; false where that is impossible.
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
