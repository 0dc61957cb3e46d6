#include "host/installed.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>

namespace tandem {

namespace fs = std::filesystem;
namespace {

fs::path own_folder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace

std::string folder_of_code(const void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  const int found = dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
  // The executable itself has no name there.
  if (found == 0 || map == nullptr || *map->l_name == 0) return own_folder();
  std::error_code error;
  const fs::path path = fs::weakly_canonical(map->l_name, error);
  return error ? own_folder() : fs::path(library_folder(path));
}

std::string library_folder(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  const fs::path levels = folder.parent_path();
  return levels.filename() == "glibc-hwcaps" ? levels.parent_path() : folder;
}

std::string executable_beside(const std::string& name) { return own_folder() / name; }

std::string installed_file(const std::string& name) {
  const fs::path folder = own_folder();
  const fs::path beside = folder / "share/tandem" / name;
  std::error_code error;
  if (fs::exists(beside, error)) return beside;
  return (folder.parent_path() / "share/tandem" / name).lexically_normal();
}

}  // namespace tandem
