#include "assembler/host/installed.hpp"

#include <filesystem>

namespace tandem {

namespace fs = std::filesystem;
namespace {

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

std::string executable_beside(const std::string& name) { return own_folder() / name; }

std::string installed_file(const std::string& name) {
  const fs::path folder = own_folder();
  const fs::path beside = folder / "share/tandem" / name;
  std::error_code error;
  if (fs::exists(beside, error)) return beside;
  return (folder.parent_path() / "share/tandem" / name).lexically_normal();
}

}  // namespace tandem
