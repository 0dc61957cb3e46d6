#include "host/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

// glibc's other name of clone(): ThreadSanitizer replaces the first one, and cannot handle a child
// that shares its parent's memory.
// NOLINTNEXTLINE: a reserved name
extern "C" int __clone(int (*run)(void*), void* stack, int flags, void* argument, ...);
// The same for sigaction(): its replacements (ThreadSanitizer, a Java VM) record handlers in
// memory, so handlers reset by the child would count as reset here.
// NOLINTNEXTLINE: a reserved name
extern "C" int __sigaction(int signal, const struct sigaction* next, struct sigaction* before);

namespace tandem {
namespace {

constexpr int cannot_execute = 127;
constexpr int look_milliseconds = 100;
constexpr std::chrono::seconds patience{2};  // between SIGTERM and SIGKILL

// Reports what failed, and why.
[[noreturn]] void give_up(const char* what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

// Above the three that become the child's own.
int above_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const Descriptor low(descriptor);
  return ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

// A file without a name that disappears once it is not open anywhere.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = {})
      : file_(above_standard(::memfd_create("tandem", MFD_CLOEXEC))) {
    if (file_.number() < 0) give_up("no file in memory");
    for (std::size_t at = 0; at < content.size();) {
      const ssize_t count = ::pwrite(file_.number(), content.data() + at, content.size() - at,
                                     static_cast<off_t>(at));
      if (count < 0 && errno != EINTR) give_up("no room for a file in memory");
      at += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
  }
  [[nodiscard]] int number() const { return file_.number(); }
  [[nodiscard]] std::string content() const {
    struct stat status {};
    if (::fstat(number(), &status) != 0) give_up("no file in memory");
    std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t at = 0;
    while (at < bytes.size()) {
      const ssize_t count =
          ::pread(number(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
      if (count == 0 || (count < 0 && errno != EINTR)) break;
      at += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    bytes.resize(at);
    return bytes;
  }

 private:
  Descriptor file_;
};

// The data that the new process needs, prepared before it exists.
struct Start {
  const char* path;
  char* const* words;
  char* const* environment;
  int input;
  int output;
  int errors;
  pid_t parent;
  int error = 0;  // errno of the new process, if it could not execute the program
};

// exec resets handlers, but ignored signals stay ignored: Python ignores SIGPIPE and SIGXFSZ,
// others SIGCHLD. Signals that nohup and a shell's `&` ignore on purpose are left as they are.
void reset_signals() {
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction now {};
    if (__sigaction(signal, nullptr, &now) != 0) continue;
    const bool is_ignored = (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN;
    if (!is_ignored || (signal != SIGHUP && signal != SIGINT && signal != SIGQUIT)) {
      (void)__sigaction(signal, &by_default, nullptr);
    }
  }
}

void accept_all_signals() {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Runs in the memory of the parent, whose thread waits until the program is loaded: it may only
// make system calls.
int become_program(void* argument) {
  auto& start = *static_cast<Start*>(argument);
  reset_signals();
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != start.parent) ::_exit(cannot_execute);  // it died before this was set up
  ::dup2(start.input, STDIN_FILENO);
  ::dup2(start.output, STDOUT_FILENO);
  ::dup2(start.errors, STDERR_FILENO);
  constexpr unsigned close_on_exec = 1U << 2U;  // CLOSE_RANGE_CLOEXEC, which not every header has
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, close_on_exec);
  accept_all_signals();
  ::execve(start.path, start.words, start.environment);
  start.error = errno;
  ::_exit(cannot_execute);
}

std::vector<char*> pointers_to(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::string_view name_in(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const auto has_this_name = [&](const std::string& other) {
      return name_in(other) == name_in(*variable);
    };
    if (std::none_of(variables.begin(), variables.end(), has_this_name))
      all.emplace_back(*variable);
  }
  return all;
}

// No handler of this process may run in the child while they share their memory.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

// A process and its descriptor. Uses neither fork(), which is slow in a large process and runs
// handlers that others have registered, nor posix_spawn(), which cannot tie the child's life to its
// parent's: this does the same as posix_spawn(), with more setup in the child.
class Child {
 public:
  Child(const ChildCommand& command, int input, int output, int errors) {
    const std::vector<std::string> environment = environment_with(command.variables);
    const std::vector<char*> variables = pointers_to(environment);
    const std::vector<char*> words = pointers_to(command.words);
    Start start{words[0], words.data(), variables.data(), input, output, errors, ::getpid()};
    constexpr std::size_t stack_bytes = std::size_t{64} << 10U;
    const auto stack = std::make_unique<char[]>(stack_bytes);
    {
      const SignalsBlocked blocked;
      process_ = __clone(become_program, stack.get() + stack_bytes,
                         CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &start, &descriptor_);
    }
    if (process_ < 0) give_up("no process");
    if (start.error == 0) return;
    (void)wait();
    ::close(descriptor_);
    errno = start.error;
    give_up(start.path);
  }
  ~Child() { ::close(descriptor_); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // False when it is still running after `milliseconds`.
  [[nodiscard]] bool has_ended(int milliseconds) const {
    pollfd watched{descriptor_, POLLIN, 0};
    return ::poll(&watched, 1, milliseconds) > 0;
  }
  void end_group(int signal) const { ::kill(-process_, signal); }
  // False when its status was collected elsewhere.
  bool wait(siginfo_t* info = nullptr) const {
    siginfo_t ignored{};
    int result = 0;
    do {
      result = ::waitid(P_PIDFD, static_cast<id_t>(descriptor_), info == nullptr ? &ignored : info,
                        WEXITED);
    } while (result != 0 && errno == EINTR);
    return result == 0;
  }

 private:
  pid_t process_ = -1;
  int descriptor_ = -1;
};

void end(const Child& child) {
  child.end_group(SIGTERM);
  const auto last = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < last) {
    if (child.has_ended(look_milliseconds)) return;
  }
  child.end_group(SIGKILL);
  while (!child.has_ended(look_milliseconds)) continue;
}

void run(const ChildCommand& command, const std::function<bool()>& stop, Ended& ended) {
  if (stop()) {
    ended.stopped = true;
    return;
  }
  const MemoryFile input(command.input);
  const MemoryFile output;
  const MemoryFile errors;
  const Child child(command, input.number(), output.number(),
                    command.is_merged ? output.number() : errors.number());
  while (!child.has_ended(look_milliseconds)) {
    if (!stop()) continue;
    end(child);
    ended.stopped = true;
    break;
  }
  child.end_group(SIGKILL);  // processes that it has started and not waited for
  siginfo_t info{};
  ended.is_known = child.wait(&info);
  if (ended.is_known) {
    (info.si_code == CLD_EXITED ? ended.status : ended.signal) = info.si_status;
  }
  ended.output = output.content();
  ended.errors = errors.content();
}

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

}  // namespace

Ended run_child(const ChildCommand& command, const std::function<bool()>& stop) {
  Ended ended;
  try {
    run(command, stop, ended);
  } catch (const std::runtime_error& error) {
    ended.trouble = error.what();
  }
  return ended;
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* const variable = std::getenv("PATH");
  std::string_view rest = variable == nullptr ? "/usr/local/bin:/usr/bin:/bin" : variable;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    const std::string path = fmt::format("{}/{}", folder, name);
    if (folder.starts_with('/') && is_program(path)) return path;
  }
  return "";
}

void begin_as_copy_of(int parent) {
  reset_signals();
  accept_all_signals();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(cannot_execute);
}

void keep_statuses_of_children() { std::signal(SIGCHLD, SIG_DFL); }

}  // namespace tandem
