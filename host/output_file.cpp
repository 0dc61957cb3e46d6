#include "host/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <vector>

#include "host/host_file.hpp"
#include "host/user_error.hpp"

namespace tandem {
namespace {

constexpr mode_t permissions = 07777;

[[noreturn]] void fail(const std::string& path, const char* what, int error) {
  throw UserError{fmt::format("{}: cannot {}: {}", path, what, std::strerror(error))};
}

// The identity of a file: its device and inode number or, if it does not exist yet, those of its
// folder and the name in it.
struct Identity {
  dev_t device = 0;
  ino_t number = 0;
  std::string name;

  bool operator==(const Identity&) const = default;
};

struct Claim {
  Identity identity;
  std::string path;
  bool input = false;
};

// Machines may be read by any thread.
std::mutex& claims_guard() {
  static std::mutex guard;
  return guard;
}

std::vector<Claim>& claims() {
  static std::vector<Claim> list;
  return list;
}

// The system would stop at the zero: another file.
void refuse_zeros(const std::string& path) {
  const std::size_t zero = path.find('\0');
  if (zero == std::string::npos) return;
  throw UserError{path.substr(0, zero) + "...: the name of an output holds a zero byte"};
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// The file that a chain of links leads to, even if it does not exist yet.
std::string behind_links(const std::string& path) {
  std::error_code error;
  std::filesystem::path at = path;
  for (int links = 0; links < 40 && std::filesystem::is_symlink(at, error); ++links) {
    const std::filesystem::path next = std::filesystem::read_symlink(at, error);
    if (error) break;
    at = next.is_absolute() ? next : at.parent_path() / next;
  }
  return at.string();
}

// Names of files that are already open; renaming onto them would not write to those.
bool is_open_descriptor(const std::string& path) {
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/self/fd/");
}

// Nothing for files that may have many readers and writers: devices, pipes.
bool identify(const std::string& path, Identity& identity) {
  if (path == "-") {
    identity = {0, 0, "-"};
    return true;
  }
  const std::string target = behind_links(path);
  struct stat status {};
  if (stat(target.c_str(), &status) == 0) {
    identity = {status.st_dev, status.st_ino, ""};
    return S_ISREG(status.st_mode);
  }
  if (stat(folder_of(target).c_str(), &status) != 0) return false;
  identity = {status.st_dev, status.st_ino, std::filesystem::path(target).filename().string()};
  return true;
}

const Claim* claimed(const Identity& identity) {
  for (const Claim& claim : claims()) {
    if (claim.identity == identity) return &claim;
  }
  return nullptr;
}

void refuse_what_is_no_file(const std::string& path, const struct stat& status, bool plain) {
  if (S_ISDIR(status.st_mode)) throw UserError{path + ": is a directory"};
  if (S_ISBLK(status.st_mode)) throw UserError{path + ": is a device, not a file"};
  if (S_ISREG(status.st_mode)) {
    if (access(path.c_str(), W_OK) != 0) fail(path, "write", errno);
  } else if (plain) {
    throw UserError{path + ": is a device or pipe; this needs a file"};
  }
}

// An unused name in the folder of `path`; the file exists afterwards, and is empty.
std::string create_beside(const std::string& path, mode_t mode, int& error) {
  static unsigned number = 0;
  constexpr unsigned attempts = 1000;
  const std::string suffix = std::filesystem::path(path).extension().string();
  for (unsigned i = 0; i < attempts; ++i) {
    const std::string name = fmt::format("{}/.tandem-{}-{}{}", folder_of(path), getpid(), ++number,
                                         suffix.size() < 32 ? suffix : "");
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    error = file < 0 ? errno : 0;
    if (file < 0) return {};
    if (mode != 0) fchmod(file, mode);
    ::close(file);
    return name;
  }
  error = EEXIST;
  return {};
}

// Copies the contents of `from` into the file `to`, which is left unchanged if there is not enough
// space. Returns errno.
int overwrite(const std::string& to, const std::string& from) {
  HostFile source(from);
  std::string bytes;
  if (!source.read_rest(std::uint64_t{1} << 40U, bytes)) return EIO;
  const int file = ::open(to.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return errno;
  struct stat old {};
  int error = ::fstat(file, &old) == 0 ? 0 : errno;
  const auto size = static_cast<off_t>(bytes.size());
  if (error == 0 && size > old.st_size) {
    error = ::posix_fallocate(file, 0, size);
    if (error != 0 && ::ftruncate(file, old.st_size) != 0) error = errno;
  }
  for (off_t at = 0; error == 0 && at < size;) {
    const auto rest = static_cast<std::size_t>(size - at);
    const ssize_t written = ::pwrite(file, bytes.data() + at, rest, at);
    if (written < 0 && errno != EINTR) error = errno;
    at += std::max<ssize_t>(written, 0);
  }
  if (error == 0 && ::ftruncate(file, size) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

void note_input(const std::string& path) {
  Identity identity;
  if (path == "-" || !identify(path, identity)) return;
  const std::lock_guard lock(claims_guard());
  const Claim* other = claimed(identity);
  if (other == nullptr || !other->input) claims().push_back({identity, path, true});
}

void claim_program(const std::string& path) {
  refuse_zeros(path);
  Identity identity;
  if (!identify(path, identity)) return;
  const std::lock_guard lock(claims_guard());
  if (const Claim* other = claimed(identity); other != nullptr) {
    const std::string shown = path == "-" ? "standard output" : path;
    throw UserError{other->input
                        ? fmt::format("{}: is an input of this command{}; name another output",
                                      shown, other->path == path ? "" : " (" + other->path + ")")
                        : fmt::format("{}: two outputs of this command go there", shown)};
  }
  claims().push_back({identity, path, false});
}

void claim_output(const std::string& path) {
  claim_program(path);
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending != ".elf" && ending != ".o") return;
  throw UserError{fmt::format(
      "{}: {} is the ending of programs, and what goes there is none; name another file", path,
      ending)};
}

void forget_files() {
  const std::lock_guard lock(claims_guard());
  claims().clear();
}

NewFile::NewFile(const std::string& path, bool plain) : name_(path), path_(path) {
  refuse_zeros(path);
  if (path == "-" || is_open_descriptor(path)) return;
  const std::string target = behind_links(path);
  struct stat old {};
  const bool there = stat(target.c_str(), &old) == 0;
  if (there) refuse_what_is_no_file(path, old, plain);
  if (there && !S_ISREG(old.st_mode)) return;
  int error = 0;
  std::string beside = create_beside(target, there ? old.st_mode & permissions : 0, error);
  if (!beside.empty()) {
    // Only root may change owners; the new version of another user's file belongs to the user.
    [[maybe_unused]] const int given = there ? chown(beside.c_str(), old.st_uid, old.st_gid) : 0;
    path_ = std::move(beside);
    final_ = target;
    shared_ = there && old.st_nlink > 1;
  } else if (!there || (error != EACCES && error != EROFS && error != EPERM)) {
    fail(path, "create", error);
  }  // otherwise: our own file in a folder that is not ours
}

NewFile::~NewFile() {
  if (beside()) ::unlink(path_.c_str());
}

void NewFile::commit() {
  if (!beside()) return;
  if (shared_) {
    if (const int error = overwrite(final_, path_); error != 0) fail(name_, "write", error);
    ::unlink(path_.c_str());
  } else if (::rename(path_.c_str(), final_.c_str()) != 0) {
    fail(name_, "create", errno);
  }
  final_.clear();
}

OutputFile::OutputFile(const std::string& path)
    : name_(path),
      place_(path),
      file_(path == "-" ? stdout : std::fopen(place_.path().c_str(), "wb")) {
  if (file_ == nullptr) fail(name_, "create", errno);
}

OutputFile::~OutputFile() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void OutputFile::write(std::string_view bytes) {
  if (error_ != 0) return;
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()) return;
  error_ = errno == 0 ? EIO : errno;
}

void OutputFile::close() {
  if (std::fflush(file_) != 0 && error_ == 0) error_ = errno;
  std::FILE* const file = file_;
  file_ = nullptr;
  if (file != stdout && std::fclose(file) != 0 && error_ == 0) error_ = errno;
  if (error_ != 0) fail(name_, "write", error_);
  place_.commit();
}

void write_bytes(const std::string& path, std::span<const std::uint8_t> bytes) {
  OutputFile file(path);
  file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});  // NOLINT
  file.close();
}

void write_text(const std::string& path, std::string_view text) {
  write_bytes(path, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});  // NOLINT
}

}  // namespace tandem
