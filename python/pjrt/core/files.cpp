#include "python/pjrt/core/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "host/host_file.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {

std::optional<std::string> read_file(const std::string& path) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 32U;
  std::string bytes;
  if (path.empty() || !HostFile(path).read_rest(largest, bytes)) return std::nullopt;
  return bytes;
}

void write_file(const std::string& path, std::initializer_list<std::string_view> pieces) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  for (const std::string_view piece : pieces) {
    file.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  }
  file.close();
  if (!file) {
    fail(PJRT_Error_Code_UNAVAILABLE,
         fmt::format("cannot write {}: {}", path, std::strerror(errno != 0 ? errno : EIO)));
  }
}

}  // namespace tandem::pjrt
