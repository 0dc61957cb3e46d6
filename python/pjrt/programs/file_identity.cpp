#include "python/pjrt/programs/file_identity.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {

std::string file_identity(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    fail(PJRT_Error_Code_NOT_FOUND, fmt::format("{}: {}", path, std::strerror(errno)));
  }
  return fmt::format("{} {} {}.{}", path, info.st_size, info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

}  // namespace tandem::pjrt
