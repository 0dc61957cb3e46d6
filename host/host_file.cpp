#include "host/host_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace tandem {
namespace {

constexpr std::uint64_t piece = std::uint64_t{1} << 16U;

constexpr std::uint64_t most_of_a_file = std::uint64_t{1} << 32U;

// From a shell or another parent, not from a folder.
bool is_unnamed_pipe(int descriptor) {
  struct statfs system {};
  return ::fstatfs(descriptor, &system) == 0 && system.f_type == PIPEFS_MAGIC;
}

// Our parent may have made standard input non-blocking, and may share it: it stays so.
bool wait_for_more(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  constexpr int for_ever = -1;
  return ::poll(&waiting, 1, for_ever) > 0 || errno == EINTR;
}

}  // namespace

HostFile::HostFile(const std::string& path, Pipes pipes) {
  if (path.find('\0') != std::string::npos) {
    fail("its name holds a zero byte");
    return;
  }
  owned_ = path != "-";
  // Without O_NONBLOCK, opening a pipe without a writer would not return.
  constexpr int how = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  descriptor_ = owned_ ? ::open(path.c_str(), how) : STDIN_FILENO;
  if (descriptor_ < 0) {
    missing_ = errno == ENOENT || errno == ENOTDIR;
    fail(fmt::format("cannot open: {}", std::strerror(errno)));
    return;
  }
  look(pipes);
}

void HostFile::look(Pipes pipes) {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) {
    fail(fmt::format("cannot read: {}", std::strerror(errno)));
  } else if (S_ISDIR(status.st_mode)) {
    fail("is a directory");
  } else if (pipes == Pipes::refuse && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) {
    fail("is a pipe, which may never end; files that a text names are regular ones");
  } else if (owned_ && S_ISFIFO(status.st_mode) && !is_unnamed_pipe(descriptor_)) {
    fail("is a named pipe, which may never end; standard input (-) may be one");
  } else if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(descriptor_) == 0)) {
    fail("is a device, not a file");
  } else if (S_ISREG(status.st_mode) && status.st_size > 0) {  // those of /proc report 0
    const off_t at = owned_ ? 0 : std::max<off_t>(::lseek(descriptor_, 0, SEEK_CUR), 0);
    size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size - at, 0));
  }
  is_regular_ = owned_ && S_ISREG(status.st_mode);
  // Those of /proc and /sys that wait for what the kernel will say (kmsg, trace_pipe) are regular
  // files to whoever asks; no other regular file ever waits.
  if (!owned_ || !ok() || is_regular_) return;
  const int flags = ::fcntl(descriptor_, F_GETFL);
  if (flags >= 0) ::fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK);
}

HostFile::~HostFile() {
  if (owned_ && descriptor_ >= 0) ::close(descriptor_);
}

bool HostFile::fail(const std::string& what) {
  error_ = what;
  return false;
}

bool HostFile::seek(std::uint64_t offset) {
  at_ = offset;
  if (::lseek(descriptor_, static_cast<off_t>(offset), SEEK_SET) >= 0) return true;
  return fail(fmt::format("cannot read: {}", std::strerror(errno)));
}

bool HostFile::read(std::uint64_t length, std::string& bytes) {
  if (!ok()) return false;
  std::array<char, piece> buffer;  // NOLINT: filled by read()
  while (length > 0) {
    const ssize_t got = ::read(descriptor_, buffer.data(), std::min(length, piece));
    if (got < 0 && errno == EAGAIN && is_regular_) return fail("has no end: a log of the system");
    if (got < 0 && (errno == EINTR || (errno == EAGAIN && wait_for_more(descriptor_)))) continue;
    if (got < 0) return fail(fmt::format("cannot read: {}", std::strerror(errno)));
    if (got == 0) return true;
    bytes.append(buffer.data(), static_cast<std::size_t>(got));
    length -= static_cast<std::uint64_t>(got);
    at_ += static_cast<std::uint64_t>(got);
  }
  return true;
}

bool HostFile::read_rest(std::uint64_t most, std::string& bytes) {
  if (!ok()) return false;
  const std::uint64_t known = size_ && *size_ > at_ ? *size_ - at_ : 0;
  const std::size_t before = bytes.size();
  if (known <= most) {
    bytes.reserve(before + known);
    if (!read(most + 1, bytes)) return false;  // a file may have grown meanwhile
    if (bytes.size() - before <= most) return true;
  }
  bytes.resize(before);
  return fail(fmt::format("is larger than {}", size_text(most)));
}

bool read_file(const std::string& path, std::string& bytes) {
  bytes.clear();
  return path != "-" && HostFile(path, HostFile::Pipes::refuse).read_rest(most_of_a_file, bytes);
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < units.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, units[unit]);
}

}  // namespace tandem
