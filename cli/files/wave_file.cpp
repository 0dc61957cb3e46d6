#include "cli/files/wave_file.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem {
namespace {

// For the handler, which may call few functions.
std::array<char, 4096> name_beside;
std::array<char, 4096> hierarchy_beside;  // the writer's own, until it closes
constexpr const char* complaint = "tandem: the disk is full: the waveform is not written\n";

void on_bus_error(int /*signal*/) {
  ::unlink(name_beside.data());
  ::unlink(hierarchy_beside.data());
  [[maybe_unused]] const auto told = ::write(STDERR_FILENO, complaint, std::strlen(complaint));
  ::_exit(exit_usage);
}

}  // namespace

WaveFile::WaveFile(const std::string& path) : name_(path), file_(path, true) {
  const std::string hierarchy = file_.path() + ".hier";
  if (hierarchy.size() >= name_beside.size())
    throw UserError{fmt::format(message::name_too_long, path)};
  if (file_.beside()) {
    std::memcpy(name_beside.data(), file_.path().c_str(), file_.path().size() + 1);
    std::memcpy(hierarchy_beside.data(), hierarchy.c_str(), hierarchy.size() + 1);
  }
  std::signal(SIGBUS, on_bus_error);
}

WaveFile::~WaveFile() { std::signal(SIGBUS, SIG_DFL); }

void WaveFile::commit() {
  // The writer does not check whether its writes succeeded.
  struct statvfs disk {};
  constexpr std::uint64_t least_room = 65536;
  const bool known = ::statvfs(file_.path().c_str(), &disk) == 0;
  if (known && static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize < least_room) {
    throw UserError{fmt::format(message::disk_full, name_)};
  }
  std::error_code error;
  if (std::filesystem::file_size(file_.path(), error) == 0 || error) {
    throw UserError{fmt::format(message::cannot_write, name_)};
  }
  file_.commit();
}

}  // namespace tandem
