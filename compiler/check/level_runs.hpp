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
  bool rounds = false;  // operands of products, where it is a binary
};

class LevelRuns {
 public:
  // Of a module from `tensor` to `buffers`, which stays as it is. The first one says what is drawn.
  LevelRun run(mlir::ModuleOp module);
  // Of the bytes of an ELF file, by `tandem run` with these arguments. Precondition: run() has been
  // there.
  [[nodiscard]] LevelRun run_binary(const std::string& elf,
                                    const std::vector<std::string>& arguments) const;
  // The tensors of a run as .npy files; false where that cannot be.
  [[nodiscard]] bool save(const LevelRun& run, const std::string& folder) const;
  // "" where they agree.
  [[nodiscard]] std::string compare(const LevelRun& before, const LevelRun& now) const;

 private:
  std::vector<LaunchTensor> tensors_;
  std::vector<Bytes> inputs_;
  bool rounds_ = false;
};

}  // namespace tandem::compiler
