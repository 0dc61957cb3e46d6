#include "cli/installed.hpp"

#include <filesystem>

namespace tandem {

std::string installed_file(const std::string& name) {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  const std::filesystem::path beside = folder / "share/tandem" / name;
  if (std::filesystem::exists(beside, error)) return beside;
  return (folder.parent_path() / "share/tandem" / name).lexically_normal();
}

}  // namespace tandem
