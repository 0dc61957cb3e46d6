// The compiler in a process of its own. MLIR's reader of bytecode trusts its input: damaged bytes
// can corrupt its memory, and Debian's build has no assertions that would stop it before. So
// whatever happens to the child, the parent survives and reports it.
#include "compiler/driver/isolate.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>

#include "compiler/contract/thresholds.hpp"
#include "compiler/reader/read.hpp"
#include "host/child.hpp"
#include "host/host_file.hpp"
#include "host/interruption.hpp"
#include "host/process.hpp"
#include "llvm/Support/ErrorHandling.h"

namespace tandem::compiler {
namespace {

void write_all(int pipe, const void* bytes, std::size_t count) {
  const auto* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = write(pipe, at, count);
    if (written < 0 && errno != EINTR) _exit(1);
    if (written <= 0) continue;
    at += written;
    count -= static_cast<std::size_t>(written);
  }
}

// When memory has run out, only text allocated before can be printed.
int out_of_memory_pipe = -1;
constexpr char out_of_memory_mark = 'm';

[[noreturn]] void out_of_memory() {
  write_all(out_of_memory_pipe, &out_of_memory_mark, 1);
  _exit(0);
}

[[noreturn]] void out_of_memory_in_llvm(void*, const char*, bool) { out_of_memory(); }

// Reports that the input has been read; the time after it is not the reader's.
constexpr char has_read_mark = 'r';

unsigned time_to_read(const Job& job) {
  return std::min(job.limits.seconds, reading_seconds(job.input.size()));
}

// "1" or "0", then the length of each of these texts and the text: the messages, the decisions, the
// output.
[[noreturn]] void child(const Job& job, int pipe) {
  // Absurd sizes in a damaged file end in a message, not in memory exhaustion.
  const rlimit memory{job.limits.memory, job.limits.memory};
  setrlimit(RLIMIT_AS, &memory);
  const rlim_t last = rlim_t{job.limits.seconds} + 5;  // SIGXCPU at the first, SIGKILL at the last
  const rlimit reading{time_to_read(job), last};
  setrlimit(RLIMIT_CPU, &reading);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  out_of_memory_pipe = pipe;
  std::set_new_handler(out_of_memory);
  llvm::install_bad_alloc_error_handler(out_of_memory_in_llvm);
  const Outcome outcome = compile_here(job, [&] {
    const rlimit all{job.limits.seconds, last};
    setrlimit(RLIMIT_CPU, &all);
    write_all(pipe, &has_read_mark, 1);
  });
  const char ok = outcome.ok ? '1' : '0';
  write_all(pipe, &ok, 1);
  const std::string taken = decisions_taken_json(*job.machine);
  for (const std::string* text : {&outcome.messages, &taken, &outcome.output}) {
    const std::uint64_t length = text->size();
    write_all(pipe, &length, sizeof(length));
    write_all(pipe, text->data(), length);
  }
  _exit(0);
}

// By the clock, as a waiting child takes no processor time, and a busy machine gives it little.
std::uint64_t clock_seconds(const Job& job) { return std::uint64_t{4} * job.limits.seconds + 60; }

// The child's output once it has ended. It stops reading when this process is asked to end, or
// after `seconds`; the time while it is stopped does not count.
std::string read_all(int pipe, std::uint64_t seconds) {
  constexpr int milliseconds = 100;
  std::string bytes;
  std::array<char, 65536> piece;
  std::uint64_t left = seconds * 1000 / milliseconds;
  while (interruption() == 0 && left > 0) {
    pollfd waiting{pipe, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0) {
      --left;
      continue;
    }
    const ssize_t count = read(pipe, piece.data(), piece.size());
    if (count > 0) bytes.append(piece.data(), static_cast<std::size_t>(count));
    if (count == 0 || (count < 0 && errno != EINTR)) break;
  }
  return bytes;
}

// Whether all writers have closed it.
bool is_closed(int pipe) {
  pollfd waiting{pipe, POLLIN, 0};
  return poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLHUP) != 0;
}

// 0, as of a process that ended well, where the status is not available: its output decides then.
int status_of(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 0;
  }
  return status;
}

Outcome decoded(const std::string& bytes) {
  Outcome outcome;
  outcome.ok = bytes[0] == '1';
  std::size_t at = 1;
  for (std::string* text : {&outcome.messages, &outcome.taken, &outcome.output}) {
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof(length));
    *text = bytes.substr(at + sizeof(length), length);
    at += sizeof(length) + length;
  }
  return outcome;
}

Outcome limited(const Job& job, const std::string& what) {
  return {"",
          job.name + ": error: too large to compile: it takes more than " + what +
              "; put what repeats itself into a loop (lax.scan, fori_loop)\n",
          false};
}

Outcome failed(const Job& job, const std::string& why) {
  return {"",
          job.name + ": error: internal: the compiler stopped (" + why +
              "); the file is damaged, or this is a mistake of the compiler\n",
          false};
}

}  // namespace

Outcome compile(const Job& job) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return failed(job, "no pipe");
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) {
    begin_as_copy_of(parent);
    close(ends[0]);
    close(STDERR_FILENO);  // messages of the C library about a corrupted heap are no diagnostics
    child(job, ends[1]);
  }
  close(ends[1]);
  std::string bytes = process < 0 ? std::string() : read_all(ends[0], clock_seconds(job));
  const bool has_ended = process >= 0 && is_closed(ends[0]);
  close(ends[0]);
  if (process < 0) return failed(job, "no process");
  if (!has_ended) kill(process, SIGKILL);
  const int status = status_of(process);
  if (interruption() != 0) throw Interrupted{};
  if (!has_ended) return limited(job, std::to_string(clock_seconds(job)) + " seconds");
  const bool has_read = !bytes.empty() && bytes[0] == has_read_mark;
  if (has_read) bytes.erase(0, 1);
  if (bytes.size() == 1 && bytes[0] == out_of_memory_mark) {
    return limited(job, size_text(job.limits.memory) + " of memory");
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
    if (!has_read) {
      return {"", unreadable(job.name, job.input.size(), time_to_read(job)), false};
    }
    return limited(job, std::to_string(job.limits.seconds) + " seconds of processor time");
  }
  if (WIFSIGNALED(status)) return failed(job, strsignal(WTERMSIG(status)));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 ||
      bytes.size() < 1 + 3 * sizeof(std::uint64_t)) {
    return failed(job, "without a result");
  }
  return decoded(bytes);
}

}  // namespace tandem::compiler
