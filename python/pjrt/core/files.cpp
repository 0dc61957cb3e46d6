#include "python/pjrt/core/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  fs::path base = fs::temp_directory_path(error);
  if (error) base = "/tmp";
  path_ = base / "tandem-XXXXXX";
  if (mkdtemp(path_.data()) == nullptr) {
    fail(PJRT_Error_Code_UNAVAILABLE,
         fmt::format("cannot create a folder in {}: {}", base.string(), std::strerror(errno)));
  }
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) return std::nullopt;
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
