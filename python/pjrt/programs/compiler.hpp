// From a program as the framework has it to a binary: compiled now, or found where it was kept.
#pragma once

#include <list>
#include <mutex>
#include <string>
#include <string_view>

#include "python/pjrt/core/options.hpp"
#include "python/pjrt/programs/compile_cache.hpp"
#include "python/pjrt/programs/compiled_program.hpp"

namespace tandem::pjrt {

// Any thread may compile at any time.
class Compiler {
 public:
  explicit Compiler(const ClientOptions& options);

  // Blocks while the compiler runs. Throws Failure.
  SharedProgram compile(std::string_view artifact);

 private:
  struct Known {
    std::string key;
    SharedProgram program;
  };
  [[nodiscard]] SharedProgram kept(std::string_view key, std::string_view artifact) const;
  SharedProgram find(std::string_view key);
  void remember(std::string_view key, SharedProgram program);

  const std::string asked_path_;
  const std::string preset_;
  const std::uint64_t hbm_bytes_;
  const std::string tuning_cache_;
  const std::uint64_t debug_bytes_;
  const CompileCache cache_;
  std::mutex mutex_;
  std::list<Known> known_;  // the last ones, the newest first
};

}  // namespace tandem::pjrt
