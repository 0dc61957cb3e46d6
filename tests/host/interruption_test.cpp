// A process's handling of signals that arrive together, and of those that do not.
#include "host/interruption.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <thread>

namespace tandem::test {
namespace {

constexpr int heeded = 3;  // not the status of a signal

// How a process ended that ran `body` once it had begun to note signals.
template <typename Body>
int status_of(Body body) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    note_interruptions();
    body();
    _exit(interruption() == SIGTERM ? heeded : 0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

}  // namespace

TEST_CASE("a signal to a process and to its group is one request") {
  const int status = status_of([] {
    for (int i = 0; i < 3; ++i) std::raise(SIGTERM);
    std::raise(SIGINT);
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == heeded);
}

TEST_CASE("a second request ends the process at once") {
  for (const int second : {SIGINT, SIGTERM}) {
    const int status = status_of([second] {
      std::raise(SIGTERM);
      std::this_thread::sleep_for(std::chrono::milliseconds(700));
      std::raise(second);
    });
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == second);
  }
}

TEST_CASE("nobody reading leaves a signal to be noted") {
  const int status = status_of([] {
    note_broken_pipe();
    std::raise(SIGTERM);
    _exit(interruption() == SIGPIPE && interrupted_status(1) == 1 ? heeded : 0);
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == heeded);
}

}  // namespace tandem::test
