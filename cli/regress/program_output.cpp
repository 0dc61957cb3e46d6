#include "cli/regress/program_output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "cli/run/interruption.hpp"

namespace tandem {
namespace {

constexpr int cannot_execute = 127;
constexpr int milliseconds_between_looks = 200;

[[noreturn]] void execute(const std::vector<std::string>& command, int output) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  setpgid(0, 0);
  std::signal(SIGPIPE, SIG_DFL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  execvp(words[0], words.data());
  _exit(cannot_execute);
}

}  // namespace

ProgramOutput run_program(const std::vector<std::string>& command) {
  ProgramOutput result;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return result;
  const pid_t process = fork();
  if (process == 0) execute(command, ends[1]);
  ::close(ends[1]);
  std::array<char, 4096> buffer{};
  while (process > 0) {
    // Slurm's commands wait for minutes where no controller answers.
    if (interruption() != 0) ::kill(-process, SIGTERM);
    pollfd output{ends[0], POLLIN, 0};
    if (::poll(&output, 1, milliseconds_between_looks) <= 0) continue;
    const ssize_t count = ::read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    result.text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  if (process > 0 && waitpid(process, &status, 0) == process && WIFEXITED(status)) {
    result.status = WEXITSTATUS(status);
  }
  return result;
}

}  // namespace tandem
