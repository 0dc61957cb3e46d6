#include "compiler/measure/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "assembler/host/installed.hpp"

namespace tandem::compiler {
namespace {

namespace fs = std::filesystem;

int exit_status(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Ended run_process(const std::vector<std::string>& command, const std::string& folder) {
  const std::string output = folder + "/.output";
  const std::string errors = folder + "/.errors";
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  constexpr mode_t mode = 0600;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), flags, mode);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), flags, mode);
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  Ended ended;
  ended.status = error == 0 ? exit_status(child) : -1;
  read_file(output, ended.output);
  read_file(errors, ended.errors);
  return ended;
}

std::string find_tandem() {
  if (const char* asked = std::getenv("TANDEM_EXECUTABLE"); asked != nullptr && *asked != 0) {
    return asked;
  }
  return beside_this_executable("tandem");
}

std::string beside_this_executable(const std::string& name) {
  std::string beside = executable_beside(name);
  return access(beside.c_str(), X_OK) == 0 ? beside : "";
}

WorkFolder::WorkFolder() {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "tandem-compile-XXXXXX").string();
  if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
}

WorkFolder::~WorkFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
}

bool read_file(const std::string& path, std::string& bytes) {
  std::ifstream file(path, std::ios::binary);
  bytes.assign(std::istreambuf_iterator<char>(file), {});
  return file.is_open() && !file.bad();
}

bool write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  return static_cast<bool>(
      file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush());
}

}  // namespace tandem::compiler
