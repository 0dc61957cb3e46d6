#include "python/pjrt/programs/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "python/pjrt/core/files.hpp"
#include "python/pjrt/core/fork_guard.hpp"
#include "python/pjrt/core/status.hpp"
#include "python/pjrt/programs/compiler_process.hpp"
#include "python/pjrt/programs/host_key.hpp"

namespace tandem::pjrt {
namespace {

constexpr std::uint64_t most_of_hbm = 8;  // messages to the host may take one part of so many

}  // namespace

Compiler::Compiler(const ClientOptions& options)
    : asked_path_(options.compiler),
      preset_(options.device.preset),
      hbm_bytes_(options.device.hbm_bytes),
      tuning_cache_(options.tuning_cache),
      debug_bytes_(std::min(options.debug_bytes, hbm_bytes_ / most_of_hbm)),
      cache_(options.cache, options.cache_bytes) {}

SharedProgram Compiler::compile(std::string_view artifact, bool partitioned,
                                const Interrupt& interrupt) {
  refuse_in_forked_child();
  const std::string path = find_compiler(asked_path_);
  // Other choices make another program of the same artifact.
  const std::string choices = read_file(tuning_cache_).value_or("");
  const std::uint64_t debug_bytes = calls_host(artifact) ? debug_bytes_ : 0;
  const std::string log = debug_bytes != 0 ? fmt::format("log {}\n", debug_bytes) : "";
  const std::string key =
      fmt::format("{}\n{}\n{}{}{}\n{}{}", compiler_identity(path), preset_, log,
                  partitioned ? "links\n" : "", choices.size(), choices, artifact);
  if (SharedProgram program = known_.find(key)) return program;
  SharedProgram program = kept(key, artifact);
  if (program == nullptr) {
    program = read_compiled_program(std::string(artifact),
                                    run_compiler(path, artifact, preset_, hbm_bytes_, tuning_cache_,
                                                 debug_bytes, partitioned, interrupt));
    cache_.keep(key, program->elf);
  }
  known_.remember(key, program);
  return program;
}

// Null when it is not there, or is not a program.
SharedProgram Compiler::kept(std::string_view key, std::string_view artifact) const {
  std::optional<std::vector<std::uint8_t>> elf = cache_.find(key);
  if (!elf) return nullptr;
  try {
    return read_compiled_program(std::string(artifact), *std::move(elf));
  } catch (const Failure&) {
    return nullptr;
  }
}

}  // namespace tandem::pjrt
