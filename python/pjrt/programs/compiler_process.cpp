#include "python/pjrt/programs/compiler_process.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/core/files.hpp"
#include "python/pjrt/core/interrupts.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;

constexpr const char* executable_name = "tandem-compile";
constexpr int cannot_start = 127;  // of the system's loader, when a library is missing

std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&own_folder), &info) == 0) return ".";
  std::error_code error;
  const fs::path path = fs::weakly_canonical(info.dli_fname, error);
  return (error ? fs::path(info.dli_fname) : path).parent_path();
}

bool is_executable(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// A pipe whose ends close with it.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      fail(PJRT_Error_Code_INTERNAL, fmt::format("no pipe: {}", std::strerror(errno)));
    }
  }
  ~Pipe() {
    close(ends_[0]);
    close_writing();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int writing() const { return ends_[1]; }
  // What was written until all writers have ended, or until `stopped` says true, which is asked ten
  // times a second.
  template <typename Stopped>
  std::string read_to_end(Stopped stopped) {
    constexpr int milliseconds = 100;
    close_writing();
    std::string text;
    std::array<char, 4096> piece;
    while (!stopped()) {
      pollfd waiting{ends_[0], POLLIN, 0};
      if (poll(&waiting, 1, milliseconds) <= 0) continue;
      const ssize_t count = read(ends_[0], piece.data(), piece.size());
      if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
      if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
    return text;
  }

 private:
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  std::array<int, 2> ends_{};
};

pid_t spawn(const std::vector<std::string>& command, int diagnostics) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, diagnostics, 1);
  posix_spawn_file_actions_adddup2(&actions, diagnostics, 2);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    fail(PJRT_Error_Code_INTERNAL,
         fmt::format("cannot run {}: {}", command[0], std::strerror(error)));
  }
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 0;  // the process ignores its children; the output decides
  }
  return status;
}

// Without MLIR's dump of the operation, which is long and names nothing that the user wrote.
std::string trimmed(std::string text) {
  const std::size_t dump = text.find("note: see current operation");
  if (dump != std::string::npos) text.resize(text.rfind('\n', dump) + 1);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

void check_exit(int status, std::string said) {
  said = trimmed(std::move(said));
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    fail(signal == SIGINT ? PJRT_Error_Code_CANCELLED : PJRT_Error_Code_INTERNAL,
         fmt::format("the compiler was ended by signal {} ({}){}{}", signal, strsignal(signal),
                     said.empty() ? "" : "; it said: ", said));
  }
  const int code = WEXITSTATUS(status);
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
  // A diagnostic about the program; what the compiler says of files and of itself is none.
  const bool of_program = tells("error: ") && !tells("error: internal");
  if (of_program) fail(PJRT_Error_Code_INVALID_ARGUMENT, said);
  fail(PJRT_Error_Code_INTERNAL, "the compiler failed: " + said);
}

std::string file_identity(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    fail(PJRT_Error_Code_NOT_FOUND, fmt::format("{}: {}", path, std::strerror(errno)));
  }
  return fmt::format("{} {} {}.{}", path, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

// The functions in assembly that come with the compiler, as it finds them
// (assembler/host/installed.hpp).
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
  return fmt::format(" {:016x}", fnv1a(fmt::format("{}", fmt::join(files, " "))));
}

}  // namespace

std::string find_compiler(const std::string& asked) {
  if (!asked.empty()) {
    if (is_executable(asked)) return asked;
    fail(PJRT_Error_Code_NOT_FOUND,
         fmt::format("the compiler is not at {} (option `compiler`, TANDEM_COMPILER)", asked));
  }
  const fs::path own = own_folder();
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
                                       const std::string& preset, const std::string& tuning_cache) {
  const TemporaryFolder folder;
  const std::string input = folder.path() + "/program.mlir";
  const std::string output = folder.path() + "/program.elf";
  write_file(input, {artifact});
  Pipe diagnostics;
  std::vector<std::string> command{path, input, "-o", output, "--preset", preset};
  if (!tuning_cache.empty()) {
    command.insert(command.end(), {"--tuning-cache", tuning_cache});
  }
  const Interrupt interrupt;
  const pid_t child = spawn(command, diagnostics.writing());
  std::string said = diagnostics.read_to_end([&] { return interrupt.seen(); });
  if (interrupt.seen()) kill(child, SIGKILL);
  const int status = wait_for(child);
  if (interrupt.seen()) fail(PJRT_Error_Code_CANCELLED, "the compilation was interrupted");
  check_exit(status, std::move(said));
  const std::optional<std::string> elf = read_file(output);
  if (!elf) fail(PJRT_Error_Code_INTERNAL, "the compiler wrote no program");
  return {elf->begin(), elf->end()};
}

}  // namespace tandem::pjrt
