// Input files of every kind: which are read, and which are refused without waiting.
#include "host/host_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

namespace tandem {
namespace {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "host-file-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("a named pipe is refused at once, whether somebody writes to it or not") {
  const Folder folder;
  const std::string path = folder.file("fifo");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  std::string bytes;
  for (const auto pipes : {HostFile::Pipes::unnamed, HostFile::Pipes::refuse}) {
    HostFile file(path, pipes);
    CHECK_FALSE(file.read_rest(100, bytes));
    CHECK(file.error().find("pipe, which may never end") != std::string::npos);
    CHECK_FALSE(file.missing());
  }
  const int both = open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(write(both, "text", 4) == 4);
  CHECK_FALSE(HostFile(path).ok());
  close(both);
  CHECK_FALSE(read_file(path, bytes));
  CHECK(bytes.empty());
}

TEST_CASE("a pipe without a name is read to its end, however slowly it is written") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const pid_t writer = fork();
  if (writer == 0) {
    for (const char* word : {"one ", "two ", "three"}) {
      usleep(20'000);
      if (write(ends[1], word, std::char_traits<char>::length(word)) < 0) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string bytes;
  CHECK(HostFile("/dev/fd/" + std::to_string(ends[0])).read_rest(100, bytes));
  CHECK(bytes == "one two three");
  CHECK_FALSE(HostFile("/dev/fd/" + std::to_string(ends[0]), HostFile::Pipes::refuse).ok());
  close(ends[0]);
}

TEST_CASE("a pipe that does not block is waited for") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  const pid_t writer = fork();
  if (writer == 0) {
    for (const char* word : {"one ", "two"}) {
      usleep(20'000);
      if (write(ends[1], word, std::char_traits<char>::length(word)) < 0) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  const int before = dup(STDIN_FILENO);
  REQUIRE(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
  close(ends[0]);
  std::string bytes;
  const bool read = HostFile("-").read_rest(100, bytes);
  CHECK((fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK) != 0);  // others may have it, too
  dup2(before, STDIN_FILENO);
  close(before);
  CHECK(read);
  CHECK(bytes == "one two");
  CHECK(waitpid(writer, nullptr, 0) == writer);
}

TEST_CASE("of regular files all is read, of what is none nothing") {
  const Folder folder;
  std::ofstream(folder.file("text")) << "some text";
  std::string bytes;
  CHECK(read_file(folder.file("text"), bytes));
  CHECK(bytes == "some text");
  CHECK_FALSE(read_file(folder.file("nothing"), bytes));
  CHECK(bytes.empty());
  for (const char* other : {"/dev/zero", "/dev/null", "/", "-"})
    CHECK_FALSE(read_file(other, bytes));
  CHECK(HostFile(folder.file("nothing")).missing());
}

// Only root may open it. Once read to its end it has nothing until the kernel says something more.
TEST_CASE("a log of the system has no end, though it says that it is a regular file") {
  std::string bytes;
  if (!HostFile("/proc/kmsg").ok()) return;
  CHECK_FALSE(read_file("/proc/kmsg", bytes));
}

}  // namespace tandem
