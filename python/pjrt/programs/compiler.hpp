// From a program as the framework has it to a binary: compiled now, or found in the cache.
#pragma once

#include <string>
#include <string_view>

#include "python/pjrt/core/interrupts.hpp"
#include "python/pjrt/core/options.hpp"
#include "python/pjrt/core/recent.hpp"
#include "python/pjrt/programs/compile_cache.hpp"
#include "python/pjrt/programs/compiled_program.hpp"

namespace tandem::pjrt {

// Any thread may compile at any time.
class Compiler {
 public:
  explicit Compiler(const ClientOptions& options);

  // Blocks while the compiler runs. Throws Failure. `partitioned`: the program of one device of
  // several.
  SharedProgram compile(std::string_view artifact, bool partitioned, const Interrupt& interrupt);

 private:
  [[nodiscard]] SharedProgram kept(std::string_view key, std::string_view artifact) const;

  const std::string asked_path_;
  const std::string preset_;
  const std::uint64_t hbm_bytes_;
  const std::string tuning_cache_;
  const std::uint64_t debug_bytes_;
  const CompileCache cache_;
  Recent<CompiledProgram> known_;
};

}  // namespace tandem::pjrt
