#include "cli/campaign/build_id.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "cli/files/files.hpp"

namespace tandem {
namespace {

// The places where runtime/device finds the libraries of a build folder and of an installation.
void add_libraries(const std::filesystem::path& folder, std::vector<std::string>& files) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool ours = name.rfind("libtandem_", 0) == 0 && name.find("waves") == std::string::npos;
    if (ours && entry.is_regular_file(error)) files.push_back(entry.path().string());
  }
}

}  // namespace

std::string own_executable() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::string build_id() {
  const std::string executable = own_executable();
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(executable).parent_path();
  add_libraries(folder / "lib", files);
  add_libraries(folder.parent_path() / "lib", files);
  std::sort(files.begin(), files.end());
  files.insert(files.begin(), executable);
  std::uint32_t sum = 0;
  for (const std::string& file : files) {
    const std::vector<std::uint8_t> bytes = read_bytes(file);
    sum = libdeflate_crc32(sum, bytes.data(), bytes.size());
  }
  return fmt::format("{:08x}", sum);
}

}  // namespace tandem
