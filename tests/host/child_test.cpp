#include "host/child.hpp"

#include <fcntl.h>

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace tandem {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const auto never = [] { return false; };

ChildCommand shell(const std::string& script) { return {{"/bin/sh", "-c", script}}; }

// Becomes false soon after the process has ended, which init or the caller has to notice first.
bool lives(pid_t process) {
  for (int looks = 0; looks < 100; ++looks) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number;
    std::string name;
    char state = 'X';
    if (!(file >> number >> name >> state) || state == 'Z') return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return true;
}

// The text that a process writes into the file when it has got this far.
int number_in(const std::string& path) {
  int number = 0;
  for (int looks = 0; looks < 200; ++looks) {
    std::ifstream file(path);
    if (file >> number && file.get() == '\n') return number;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  FAIL("nothing in " << path);
  return 0;
}

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(fs::temp_directory_path() / "tandem-test-XXXXXX") {
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~TemporaryFolder() { fs::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

TEST_CASE("A child reads its input and is known by its output, errors and status") {
  ChildCommand command = shell("cat; echo error >&2; exit 3");
  command.input = "text";
  const Ended ended = run_child(command, never);
  CHECK(ended.trouble.empty());
  CHECK(ended.is_known);
  CHECK(ended.status == 3);
  CHECK(ended.signal == 0);
  CHECK_FALSE(ended.ok());
  CHECK(ended.output == "text");
  CHECK(ended.errors == "error\n");
}

TEST_CASE("Large input and output go through, and both outputs together where that is asked for") {
  const std::string text(std::size_t{10} << 20U, 'x');
  ChildCommand command = shell("cat; echo end >&2");
  command.input = text;
  command.is_merged = true;
  const Ended ended = run_child(command, never);
  CHECK(ended.ok());
  CHECK(ended.output == text + "end\n");
  CHECK(ended.errors.empty());
}

TEST_CASE("What cannot be run, or dies of a signal, says so") {
  CHECK(run_child({{"/nowhere/program"}}, never).trouble.find("No such file") != std::string::npos);
  CHECK(run_child({{"/etc/passwd"}}, never).trouble.find("ermission") != std::string::npos);
  CHECK(run_child(shell("kill -9 $$"), never).signal == SIGKILL);
}

TEST_CASE("A child has no descriptor but three, and no signal ignored but by nohup") {
  const int open_without_flag = ::open("/dev/null", O_RDONLY);
  void (*const pipe_before)(int) = std::signal(SIGPIPE, SIG_IGN);
  void (*const hup_before)(int) = std::signal(SIGHUP, SIG_IGN);
  const Ended ended = run_child(
      shell("ls /proc/self/fd | tr '\\n' ' '; grep -E 'SigIgn|SigBlk' /proc/self/status"), never);
  std::signal(SIGPIPE, pipe_before);
  std::signal(SIGHUP, hup_before);
  ::close(open_without_flag);
  CHECK(ended.output.starts_with("0 1 2 3 "));  // 3: the folder that ls reads
  CHECK(ended.output.find("SigBlk:\t0000000000000000") != std::string::npos);
  CHECK(ended.output.find("SigIgn:\t0000000000000001") != std::string::npos);
}

TEST_CASE("Variables are put beside those of this process, or in their place") {
  setenv("TANDEM_TEST_KEPT", "kept", 1);
  setenv("TANDEM_TEST_CHANGED", "before", 1);
  ChildCommand command = shell("echo $TANDEM_TEST_KEPT $TANDEM_TEST_CHANGED");
  command.variables = {"TANDEM_TEST_CHANGED=after"};
  CHECK(run_child(command, never).output == "kept after\n");
  unsetenv("TANDEM_TEST_KEPT");
  unsetenv("TANDEM_TEST_CHANGED");
}

TEST_CASE("A child that is stopped ends with all that it has started") {
  const auto begin = Clock::now();
  const auto stop = [&] { return Clock::now() - begin > std::chrono::milliseconds(300); };
  SECTION("at once") {
    const Ended ended = run_child(shell("sleep 600 & echo $!; wait"), stop);
    CHECK(ended.stopped);
    CHECK_FALSE(lives(std::stoi(ended.output)));
    CHECK(Clock::now() - begin < std::chrono::seconds(2));
  }
  SECTION("after a while, where it does not listen") {
    CHECK(run_child(shell("trap '' TERM; while :; do sleep 1; done"), stop).stopped);
  }
  CHECK(Clock::now() - begin < std::chrono::seconds(10));
}

TEST_CASE("What a child leaves running is ended with it") {
  const Ended ended = run_child(shell("sleep 600 & echo $!"), never);
  CHECK(ended.ok());
  CHECK_FALSE(lives(std::stoi(ended.output)));
}

TEST_CASE("A child ends when its parent is killed, and so does a copy of its parent") {
  const TemporaryFolder folder;
  const std::string told = folder.file("number");
  const bool is_copy = GENERATE(false, true);
  const pid_t parent = fork();
  if (parent == 0 && is_copy) {
    const pid_t self = getpid();
    if (fork() == 0) {
      begin_as_copy_of(self);
      std::ofstream(told) << getpid() << "\n";
    }
    while (true) pause();
  }
  if (parent == 0) {
    run_child(shell("echo $$ >" + told + "; exec sleep 600"), never);
    _exit(0);
  }
  const int child = number_in(told);
  CHECK(kill(child, 0) == 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  CHECK_FALSE(lives(child));
}

TEST_CASE(
    "Where children are ignored, what a child wrote is known, and the status where it is kept") {
  const pid_t process = fork();
  if (process == 0) {
    std::signal(SIGCHLD, SIG_IGN);
    const Ended ended = run_child(shell("echo text; exit 3"), never);
    const bool right = ended.trouble.empty() && !ended.is_known && ended.output == "text\n";
    keep_statuses_of_children();
    _exit(right ? run_child(shell("exit 5"), never).status : 1);
  }
  int status = 0;
  REQUIRE(waitpid(process, &status, 0) == process);
  CHECK(WEXITSTATUS(status) == 5);
}

TEST_CASE("A program is looked for in PATH, never in the current folder") {
  const TemporaryFolder folder;
  const std::string path = folder.file("program");
  std::ofstream(path) << "#!/bin/sh\n";
  fs::permissions(path, fs::perms::owner_all);
  const std::string before = std::getenv("PATH");
  const fs::path start = fs::current_path();
  fs::current_path(fs::path(path).parent_path());
  const auto found = [](const std::string& variable) {
    setenv("PATH", variable.c_str(), 1);
    return find_program("program");
  };
  CHECK(found("").empty());
  CHECK(found(":.:/usr/bin").empty());
  CHECK(found("relative:" + fs::path(path).parent_path().string()) == path);
  CHECK(find_program("./program") == "./program");
  fs::current_path(start);
  setenv("PATH", before.c_str(), 1);
}

}  // namespace
}  // namespace tandem
