#include "python/pjrt/programs/partitioner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "host/child.hpp"
#include "python/pjrt/core/fork_guard.hpp"
#include "python/pjrt/core/status.hpp"
#include "python/pjrt/programs/file_identity.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;

// 1 for each result whose sharding the caller leaves open.
std::string digits_of_free(const CompileOptions& options) {
  std::string digits;
  for (const bool is_free : options.free_results) digits += is_free ? '1' : '0';
  return digits;
}

// Changes whenever a file of the partitioner's does, or the interpreter.
std::string identity(const std::string& python, const std::string& script) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(fs::path(script).parent_path(), error)) {
    if (entry.path().extension() == ".py") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::string text = python.empty() ? "" : file_identity(python);
  for (const fs::path& file : files) text += "\n" + file_identity(file);
  return text + "\n" + file_identity(script);
}

void check_end(const Ended& ended) {
  if (!ended.trouble.empty()) {
    fail(PJRT_Error_Code_INTERNAL, "cannot run the partitioner: " + ended.trouble);
  }
  if (ended.stopped) fail(PJRT_Error_Code_CANCELLED, "the compilation was interrupted");
  std::string said = ended.errors;
  while (!said.empty() && (said.back() == '\n' || said.back() == ' ')) said.pop_back();
  if (ended.signal != 0) {
    fail(ended.signal == SIGINT ? PJRT_Error_Code_CANCELLED : PJRT_Error_Code_INTERNAL,
         fmt::format("the partitioner was ended by signal {} ({}){}{}", ended.signal,
                     strsignal(ended.signal), said.empty() ? "" : "; it said: ", said));
  }
  constexpr int refused = 1;
  const bool ended_well = ended.is_known ? ended.status == 0 : !ended.output.empty();
  if (ended_well) return;
  if (!ended.is_known || ended.status != refused || said.empty()) {
    fail(PJRT_Error_Code_INTERNAL, "the partitioner failed: " + said);
  }
  const bool is_missing = said.find("error: unimplemented") != std::string::npos;
  fail(is_missing ? PJRT_Error_Code_UNIMPLEMENTED : PJRT_Error_Code_INVALID_ARGUMENT, said);
}

}  // namespace

Partitioner::Partitioner(const ClientOptions& options)
    : python_(options.partitioner_python),
      script_(options.partitioner),
      cache_(options.cache, options.cache_bytes) {}

SharedPartitioned Partitioner::partition(std::string_view artifact, const CompileOptions& options,
                                         const Interrupt& interrupt) {
  refuse_in_forked_child();
  if (script_.empty()) {
    fail(PJRT_Error_Code_UNIMPLEMENTED,
         "unimplemented: a program over several devices without the Python package, whose "
         "partitioner it takes (option `partitioner`, TANDEM_PARTITIONER)");
  }
  const std::string key = fmt::format("partition\n{}\n{}\n{}\n{}", identity(python_, script_),
                                      options.partitions, digits_of_free(options), artifact);
  if (SharedPartitioned program = known_.find(key)) return program;
  SharedPartitioned program = kept(key);
  if (program == nullptr) {
    program = read_partitioned(run(artifact, options, interrupt));
    cache_.keep(key, {program->bytes.begin(), program->bytes.end()});
  }
  known_.remember(key, program);
  return program;
}

std::string Partitioner::run(std::string_view artifact, const CompileOptions& options,
                             const Interrupt& interrupt) const {
  ChildCommand command{{}, artifact};
  if (!python_.empty()) command.words.push_back(python_);
  command.words.insert(command.words.end(),
                       {script_, fmt::format("--partitions={}", options.partitions),
                        "--free=" + digits_of_free(options)});
  Ended ended = run_child(command, [&] { return interrupt.seen(); });
  check_end(ended);
  if (ended.output.empty()) fail(PJRT_Error_Code_INTERNAL, "the partitioner wrote no program");
  return std::move(ended.output);
}

// Null when it is not there, or is not a program.
SharedPartitioned Partitioner::kept(std::string_view key) const {
  const std::optional<std::vector<std::uint8_t>> bytes = cache_.find(key);
  if (!bytes) return nullptr;
  try {
    return read_partitioned({bytes->begin(), bytes->end()});
  } catch (const Failure&) {
    return nullptr;
  }
}

}  // namespace tandem::pjrt
