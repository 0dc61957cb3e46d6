#include "python/pjrt/programs/cache_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace tandem::pjrt {
namespace {

class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  // False when closing it failed: the written data may not be there.
  bool close() { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

bool is_own(const struct stat& status) {
  constexpr mode_t others_write = S_IWGRP | S_IWOTH;
  return S_ISREG(status.st_mode) && (status.st_uid == ::geteuid() || status.st_uid == 0) &&
         (status.st_mode & others_write) == 0;
}

// Without a wait for a writer, should it be a pipe.
int open_to_read(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

// False for files that are not valid.
bool tells_state(const OpenFile& file, struct stat& status) {
  return file.is_open() && ::fstat(file.number(), &status) == 0 && is_own(status);
}

std::string beginning_of(const OpenFile& file, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const ssize_t count = ::read(file.number(), bytes.data() + size, most - size);
    if (count == 0 || (count < 0 && errno != EINTR)) break;
    size += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  bytes.resize(size);
  return bytes;
}

bool write_all(const OpenFile& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.number(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) return false;
    bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  return true;
}

// Nothing is there, or a file that the user may replace.
bool is_free(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT;
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
}

}  // namespace

std::optional<std::string> use_file(const std::string& path, std::uint64_t most) {
  struct stat status {};
  const OpenFile file(open_to_read(path));
  if (!tells_state(file, status) || static_cast<std::uint64_t>(status.st_size) > most)
    return std::nullopt;
  std::string bytes = beginning_of(file, static_cast<std::size_t>(status.st_size));
  (void)::futimens(file.number(), nullptr);  // root's file may not be ours to mark
  return bytes;
}

std::optional<FileState> look_at_file(const std::string& path, std::size_t beginning) {
  struct stat status {};
  const OpenFile file(open_to_read(path));
  if (!tells_state(file, status)) return std::nullopt;
  return FileState{static_cast<std::uint64_t>(status.st_size), status.st_mtim.tv_sec,
                   beginning_of(file, beginning)};
}

bool put_file(const std::string& path, const std::string& unfinished,
              std::initializer_list<std::string_view> pieces) {
  if (!is_free(path)) return false;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::string name = folder / (unfinished + "XXXXXX");
  OpenFile file(::mkostemp(name.data(), O_CLOEXEC));  // a new file, whatever links there are
  if (!file.is_open()) return false;
  const bool written = std::all_of(pieces.begin(), pieces.end(),
                                   [&](std::string_view piece) { return write_all(file, piece); });
  if (file.close() && written && ::rename(name.c_str(), path.c_str()) == 0) return true;
  (void)::unlink(name.c_str());
  return false;
}

}  // namespace tandem::pjrt
