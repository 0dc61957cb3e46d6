#include "cli/files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/user_error.hpp"

namespace tandem {
namespace {

struct Closer {
  void operator()(std::FILE* file) const {
    if (file != stdin && file != stdout) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, Closer>;

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw UserError{fmt::format("{}: cannot {}: {}", path, what, std::strerror(errno))};
}

// Directories cannot be read, devices such as /dev/zero never end.
void refuse_what_is_no_file(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) throw UserError{path + ": is a directory"};
  if (S_ISCHR(status.st_mode)) throw UserError{path + ": is a device, not a file"};
}

// A file that is there is replaced by one with the same mode: ext4 waits for the disk when one is
// closed that was truncated. Links, devices and what is not the user's stay what they are.
std::FILE* create(const std::string& path) {
  if (path == "-") return stdout;
  struct stat old {};
  const bool replaces = lstat(path.c_str(), &old) == 0 && S_ISREG(old.st_mode) &&
                        old.st_nlink == 1 && old.st_uid == geteuid() &&
                        access(path.c_str(), W_OK) == 0 && unlink(path.c_str()) == 0;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  constexpr mode_t permissions = 07777;
  if (replaces && file != nullptr) fchmod(fileno(file), old.st_mode & permissions);
  return file;
}

}  // namespace

std::vector<std::uint8_t> read_bytes(const std::string& path) {
  if (path != "-") refuse_what_is_no_file(path);
  const File file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  if (!file) fail(path, "open");
  std::vector<std::uint8_t> bytes;
  std::array<std::uint8_t, 65536> buffer{};
  while (true) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get());
    bytes.insert(bytes.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got));
    if (got < buffer.size()) break;
  }
  if (std::ferror(file.get()) != 0) fail(path, "read");
  return bytes;
}

std::string read_text(const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  return {bytes.begin(), bytes.end()};
}

void write_bytes(const std::string& path, std::span<const std::uint8_t> bytes) {
  const File file(path == "-" ? stdout : std::fopen(path.c_str(), "wb"));
  if (!file) fail(path, "create");
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  if (!written || std::fflush(file.get()) != 0) fail(path, "write");
}

OutputFile::OutputFile(const std::string& path) : path_(path), file_(create(path)) {
  if (file_ == nullptr) fail(path_, "create");
}

OutputFile::~OutputFile() {
  if (file_ != nullptr) Closer()(file_);
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(path_, "write");
}

void OutputFile::close() {
  if (std::fflush(file_) != 0) fail(path_, "write");
  Closer()(file_);
  file_ = nullptr;
}

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace tandem
