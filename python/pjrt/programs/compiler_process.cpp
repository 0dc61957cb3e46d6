#include "python/pjrt/programs/compiler_process.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "host/child.hpp"
#include "host/installed.hpp"
#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/core/status.hpp"
#include "python/pjrt/programs/file_identity.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;

constexpr const char* executable_name = "tandem-compile";
constexpr std::string_view input_name = "<stdin>: ";
constexpr int cannot_start = 127;  // of the system's loader, when a library is missing

// Evaluated when the library is loaded: its path may depend on the current folder at that time.
// NOLINTNEXTLINE(cert-err58-cpp): without memory at that point nothing can be done
const std::string folder_of_plugin = folder_of_code(reinterpret_cast<const void*>(&find_compiler));

bool is_executable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// Without MLIR's dump of the operation, which is long and names nothing that the user wrote, and
// without the name that the program has in the compiler.
std::string trimmed(std::string text) {
  const std::size_t dump = text.find("note: see current operation");
  if (dump != std::string::npos) text.resize(text.rfind('\n', dump) + 1);
  for (std::size_t at = 0; (at = text.find(input_name, at)) != std::string::npos;) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    if (begins_line) text.erase(at, input_name.size());
    at += begins_line ? 0 : input_name.size();
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// Without the name of the compiler's input, which is not a file. Its output is `compiled.s`.
std::string without_input(std::string text) {
  constexpr std::string_view file = "<stdin>";
  for (std::size_t at = text.find(file); at != std::string::npos; at = text.find(file, at)) {
    if (text.compare(at + file.size(), 2, ".s") == 0) {
      text.replace(at, file.size(), "compiled");
      continue;
    }
    std::size_t end = text.find_first_not_of(":0123456789", at + file.size());
    if (end == std::string::npos) end = text.size();
    if (text[end] == ' ') ++end;
    text.erase(at, end - at);
  }
  return text;
}

void check_end(const Ended& ended) {
  if (!ended.trouble.empty()) {
    fail(PJRT_Error_Code_INTERNAL, "cannot run the compiler: " + ended.trouble);
  }
  if (ended.stopped) fail(PJRT_Error_Code_CANCELLED, "the compilation was interrupted");
  std::string said = without_input(trimmed(ended.errors));
  if (ended.signal != 0) {
    fail(ended.signal == SIGINT ? PJRT_Error_Code_CANCELLED : PJRT_Error_Code_INTERNAL,
         fmt::format("the compiler was ended by signal {} ({}){}{}", ended.signal,
                     strsignal(ended.signal), said.empty() ? "" : "; it said: ", said));
  }
  // Where the status is not known, a compiler without a result has failed.
  const int code = ended.is_known ? ended.status : static_cast<int>(ended.output.empty());
  if (code == 0) return;
  if (said.empty()) said = fmt::format("the compiler ended with status {} and no word", code);
  if (code == cannot_start) {
    fail(PJRT_Error_Code_UNAVAILABLE,
         said + "\nthe compiler needs MLIR; on Debian 12: apt-get install libmlir-22");
  }
  const std::string_view first = std::string_view(said).substr(0, said.find('\n'));
  const auto tells = [first](std::string_view what) {
    return first.find(what) != std::string_view::npos;
  };
  if (tells("unimplemented")) fail(PJRT_Error_Code_UNIMPLEMENTED, said);
  if (tells("error: no room")) fail(PJRT_Error_Code_RESOURCE_EXHAUSTED, said);
  // A diagnostic about the program, not one about files or the compiler itself.
  const bool of_program = tells("error: ") && !tells("error: internal");
  if (of_program) fail(PJRT_Error_Code_INVALID_ARGUMENT, said);
  fail(PJRT_Error_Code_INTERNAL, "the compiler failed: " + said);
}

// The functions in assembly that come with the compiler, as it finds them
// (host/installed.hpp).
std::string kernels_identity(const std::string& compiler) {
  const fs::path folder = fs::path(compiler).parent_path();
  std::vector<std::string> files;
  for (const fs::path& root : {folder, folder.parent_path()}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(root / "share/tandem/kernels", error)) {
      if (entry.is_regular_file(error)) files.push_back(file_identity(entry.path()));
    }
    if (!files.empty()) break;
  }
  std::sort(files.begin(), files.end());
  return " " + digits_of(sha256({fmt::format("{}", fmt::join(files, " "))}));
}

}  // namespace

std::string find_compiler(const std::string& asked) {
  if (!asked.empty()) {
    std::string path = find_program(asked);
    if (!path.empty() && is_executable(path)) return path;
    fail(PJRT_Error_Code_NOT_FOUND,
         fmt::format("the compiler is not at {} (option `compiler`, TANDEM_COMPILER)", asked));
  }
  const fs::path own = folder_of_plugin;
  fs::path folder = own;
  for (int level = 0; level < 4; ++level, folder = folder.parent_path()) {
    if (is_executable(folder / "bin" / executable_name)) return folder / "bin" / executable_name;
    if (is_executable(folder / executable_name)) return folder / executable_name;
  }
  fail(PJRT_Error_Code_NOT_FOUND,
       fmt::format("the compiler {} is not in {} nor above it: build it (scripts/setup --group "
                   "compiler) or name it in TANDEM_COMPILER",
                   executable_name, own.string()));
}

std::string compiler_identity(const std::string& path) {
  return file_identity(path) + kernels_identity(path);
}

std::vector<std::uint8_t> run_compiler(const std::string& path, std::string_view artifact,
                                       const std::string& preset, std::uint64_t hbm_bytes,
                                       const std::string& tuning_cache, std::uint64_t debug_bytes,
                                       bool links, const Interrupt& interrupt) {
  ChildCommand command{{path, "-", "-o", "-", "--preset", preset}, artifact};
  if (!tuning_cache.empty()) {
    command.words.insert(command.words.end(), {"--tuning-cache", tuning_cache});
  }
  command.words.push_back(fmt::format("--hbm={}", hbm_bytes));
  if (debug_bytes != 0) command.words.push_back(fmt::format("--debug-bytes={}", debug_bytes));
  if (links) command.words.emplace_back("--links");
  const Ended ended = run_child(command, [&] { return interrupt.seen(); });
  check_end(ended);
  if (ended.output.empty()) fail(PJRT_Error_Code_INTERNAL, "the compiler wrote no program");
  return {ended.output.begin(), ended.output.end()};
}

}  // namespace tandem::pjrt
